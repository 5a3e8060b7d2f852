/** What the real dsh did, and what the built plugin made of it. */
import { expect, test, vi } from "vitest";
import { startMoth, story } from "../../core/test/listening-moth.ts";
import { recording, run } from "./harness.ts";

const WEB = recording("dsh-0.1.0-rc.8-web");

test("turns, a stop, an error, a permission, a question, a plan, subagents, a summary, queued prompts, a copy", async () => {
  const moth = await startMoth();
  await run(WEB, moth.url);
  await vi.waitFor(() =>
    expect(story(moth.heard())).toEqual([
      "working",
      '"One."',
      "working",
      "idle:interrupted",
      "working",
      "idle:failed",
      "working",
      "waiting:permission bash",
      "working:answered",
      '"Made it."',
      "working",
      "waiting:question ask_user_question",
      "working:answered",
      '"Red it is."',
      "working",
      "waiting:plan exit_plan_mode",
      "working:answered",
      '"Done as planned."',
      // A subagent that is waited for.
      "working",
      '"Helper done."',
      // One in the background, and the turn its news begin.
      "working",
      '"A helper is at it.", works on',
      "working",
      '"ok"',
      // Before and after a summary of the conversation.
      "working",
      '"One more thing."',
      "working",
      '"After."',
      // What was said while it worked belongs to its turn; what was queued is the next.
      "working",
      '"steered"',
      "working",
      '"Q2."',
      "gone",
    ]),
  );
  const heard = moth.heard().map(({ body }) => body);
  expect(new Set(heard.map(({ session }) => session)).size).toBe(1);
  expect(new Set(heard.map(({ label }) => label))).toEqual(new Set(["moth repo"]));
  const waits = heard.flatMap(({ wait }) => wait?.id ?? []);
  expect(heard.flatMap(({ ended }) => ended ?? [])).toEqual(waits);
});

test("nothing is sent but what the protocol names: no prompt, no tool's input, no path, no error text", async () => {
  const moth = await startMoth();
  await run(WEB, moth.url);
  await vi.waitFor(() => expect(story(moth.heard())).toContain("gone"));
  const named = ["source", "session", "label", "seq", "pid", "text", "outcome", "turn", "state", "wait", "ended"];
  for (const { path, body } of moth.heard()) {
    expect(["/api/agent", "/api/state"]).toContain(path);
    expect(named).toEqual(expect.arrayContaining(Object.keys(body)));
    if (body.wait) expect(Object.keys(body.wait).sort()).toEqual(["answerable", "id", "kind", "tool"]);
  }
  const all = JSON.stringify(moth.heard().map(({ body }) => body));
  for (const secret of ["[[", "touch", "secret.txt", "Which?", "/home/ada", "scripted error", "Do it well", "From the helper"])
    expect(all).not.toContain(secret);
});
