/** What the person has a session do from outside, with a real moth between. In the real Copilot: `e2e/scenarios/follow-up.test.ts`. */
import { expect, test, vi } from "vitest";
import { stage, type Stage } from "./stage.ts";

const PATIENCE = { timeout: 10_000 };

/** The session works, as moth's hooks tell; the extension listens. */
async function working(made: Stage): Promise<void> {
  made.works();
  made.emit("user.message", {});
  await vi.waitFor(async () => expect(await made.roster()).toMatchObject([{ takes: ["prompt", "abort"] }]), PATIENCE);
}

test("a message goes to Copilot word for word, and a turn is ended", async () => {
  const made = await stage();
  await working(made);
  expect(await made.order({ do: "prompt", text: "/clear or not" })).toBe("ok");
  expect(await made.order({ do: "abort" })).toBe("ok");
  expect(made.done).toEqual(["prompt /clear or not", "abort"]);
});

test("what Copilot does not take is told so", async () => {
  const made = await stage({ call: () => Promise.reject(new Error("no")) });
  await working(made);
  expect(await made.order({ do: "prompt", text: "go on" })).toBe("NOT_TAKEN");
});

test("with answers off nothing is listened for; it is once they are on, from the session's next event", async () => {
  const made = await stage({ answers: "off" });
  made.works();
  made.emit("user.message", {});
  expect(await made.order({ do: "prompt", text: "go on" })).toBe("ANSWERS_OFF");
  made.turn("on");
  // What a subagent does is none of the session's.
  made.emit("user.message", {}, { agentId: "a" });
  expect(await made.order({ do: "prompt", text: "go on" })).not.toBe("ok");
  await working(made);
  expect(await made.order({ do: "prompt", text: "go on" })).toBe("ok");
  expect(made.done).toEqual(["prompt go on"]);
});
