import { MOTH } from "./command-name.ts";

const WHY = {
  closed: "This page opens with a link that only you can get.",
  stale: "This link has been used, or is older than 60 seconds.",
  restarted: "moth no longer knows this browser, most likely because it was started anew.",
};

/** All that shows to a browser that moth does not know. */
export function Locked({ why }: { why: keyof typeof WHY }) {
  return (
    <main class="locked">
      <h1>
        <span class="lamp" aria-hidden="true" /> moth
      </h1>
      <p>{WHY[why]}</p>
      <p>
        In a terminal on this machine, run <code>{MOTH} open</code>
      </p>
      {location.hostname === "localhost" ? (
        // To a browser that is another place than 127.0.0.1, which the link usually names: what is opened there opens nothing here.
        <p class="faint">
          The link opens <code>http://127.0.0.1:{location.port}/</code>: go on there. This page, at <code>localhost</code>, stays
          locked, unless the link says <code>localhost</code> too.
        </p>
      ) : (
        <p class="faint">This page goes on by itself when you have.</p>
      )}
    </main>
  );
}
