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
      <p class="faint">This page goes on by itself when you have.</p>
    </main>
  );
}
