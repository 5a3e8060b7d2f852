/** Dialogs answered through moth, with a real moth behind them. In the real Copilot: `e2e/scenarios/answered-*.test.ts`. */
import { expect, test, vi } from "vitest";
import { SESSION, stage } from "./stage.ts";

const COLOURS = { properties: { colour: { type: "string", enum: ["Red", "Blue"] } } };
const PLAN = { summary: "# The plan", planContent: "", actions: ["autopilot", "interactive", "exit_only"] };

test("a permission is told with the command, given through moth once, and its dialog is over", async () => {
  const made = await stage();
  made.permits();
  const wait = { id: "p-1", kind: "permission", tool: "bash", text: "touch made.txt", answerable: true };
  expect(await made.shows("p-1")).toEqual(wait);
  const both = await Promise.all([made.give({ wait: "p-1", choice: "allow" }), made.give({ wait: "p-1", choice: "deny" })]);
  expect(both).toEqual(["ok", "ANSWERED"]);
  expect(made.handed).toEqual([{ requestId: "p-1", result: { kind: "approve-once" } }]);
});

test("it joins with leave to handle permissions, and decides none itself", async () => {
  const { joined } = await stage();
  const [config] = joined as [{ onPermissionRequest: () => unknown }];
  expect(joined).toHaveLength(1);
  expect(config.onPermissionRequest()).toEqual({ kind: "no-result" });
});

test("without that leave it stays for questions", async () => {
  const made = await stage({ denied: true });
  expect(made.joined[1]).toEqual({});
  made.asks("elicitation", "q-1", "ask_user", { message: "Which?", requestedSchema: COLOURS });
  await made.shows("call-q-1");
  expect(await made.give({ wait: "call-q-1", choice: "Red" })).toBe("ok");
});

test("a denial goes without words or with them; words with a yes are refused", async () => {
  const made = await stage();
  made.permits();
  await made.shows("p-1");
  expect(await made.give({ wait: "p-1", choice: "allow", text: "but carefully" })).toBe("NOT_TAKEN");
  expect(await made.give({ wait: "p-1", choice: "deny" })).toBe("ok");
  made.permits("p-2");
  await made.shows("p-2");
  expect(await made.give({ wait: "p-2", choice: "deny", text: "not there" })).toBe("ok");
  expect(made.handed).toEqual([
    { requestId: "p-1", result: { kind: "reject" } },
    { requestId: "p-2", result: { kind: "reject", feedback: "not there" } },
  ]);
});

test("a question takes an option, or words where none fits", async () => {
  const made = await stage();
  made.asks("elicitation", "q-1", "ask_user", { message: "Which colour?", requestedSchema: COLOURS });
  expect(await made.shows("call-q-1")).toMatchObject({ kind: "question", text: "Which colour?", options: ["Red", "Blue"] });
  expect(await made.give({ wait: "call-q-1", choice: "Red", text: "or not" })).toBe("NOT_TAKEN");
  expect(await made.give({ wait: "call-q-1", choice: "Blue" })).toBe("ok");
  made.asks("elicitation", "q-2", "ask_user", { message: "Which colour?", requestedSchema: COLOURS });
  await made.shows("call-q-2");
  expect(await made.give({ wait: "call-q-2", text: "green" })).toBe("ok");
  expect(made.handed).toEqual(
    [
      ["q-1", "Blue"],
      ["q-2", "green"],
    ].map(([requestId, colour]) => ({ requestId, result: { action: "accept", content: { colour } } })),
  );
});

test("a plan is approved into a mode that asks, or put back with words", async () => {
  const made = await stage();
  made.asks("exit_plan_mode", "e-1", "exit_plan_mode", PLAN);
  expect(await made.shows("call-e-1")).toMatchObject({
    kind: "plan",
    tool: "exit_plan_mode",
    text: "# The plan",
    answerable: true,
  });
  expect(await made.give({ wait: "call-e-1", choice: "reject", text: "add a test" })).toBe("ok");
  made.asks("exit_plan_mode", "e-2", "exit_plan_mode", PLAN);
  await made.shows("call-e-2");
  expect(await made.give({ wait: "call-e-2", choice: "approve" })).toBe("ok");
  expect(made.handed).toEqual([
    { requestId: "e-1", response: { approved: false, feedback: "add a test" } },
    { requestId: "e-2", response: { approved: true, selectedAction: "interactive" } },
  ]);
});

test("the window first: its answer counts, and moth's comes too late", async () => {
  const made = await stage();
  made.permits();
  await made.shows("p-1");
  made.window("permission", "p-1");
  expect(await made.give({ wait: "p-1", choice: "allow" })).toMatch(/STALE|NOT_TAKEN/);
  expect(made.handed).toEqual([]);
});

test("one that the window answers while moth's answer is on its way is told so", async () => {
  const made = await stage({ call: () => Promise.resolve({ success: false }) });
  made.permits();
  await made.shows("p-1");
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("NOT_TAKEN");
});

test("a call that fails leaves the wait to the window, and to another try", async () => {
  const calls = [() => Promise.reject(new Error("no leave")), () => Promise.resolve({ success: true })];
  const made = await stage({ call: () => calls.shift()!() });
  made.permits();
  await made.shows("p-1");
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("NOT_TAKEN");
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ok");
});

test("of two that wait at once each is answered by its own", async () => {
  const made = await stage();
  made.permits("p-1", { kind: "shell", fullCommandText: "touch one" });
  made.permits("p-2", { kind: "shell", fullCommandText: "touch two" });
  await made.shows("p-1");
  await vi.waitFor(async () => expect(await made.give({ wait: "p-2", choice: "deny" })).toBe("ok"));
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ok");
  expect(made.handed).toMatchObject([{ requestId: "p-2" }, { requestId: "p-1" }]);
});

test("a moth that is started anew while a dialog waits hears of it", async () => {
  const made = await stage();
  made.permits();
  await made.shows("p-1");
  await made.restart();
  await made.shows("p-1");
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("ok");
});

test("a moth that is gone leaves the window to answer", async () => {
  const made = await stage();
  made.permits();
  await made.shows("p-1");
  await made.stop();
  made.window("permission", "p-1");
  expect(made.handed).toEqual([]);
});

test("with answers off nothing of what is asked is told", async () => {
  const made = await stage({ answers: "off" });
  made.permits();
  made.turn("on");
  made.permits("p-2");
  expect(await made.shows("p-2")).toMatchObject({ id: "p-2" });
  expect((await made.roster()).map(({ session }) => session)).toEqual([SESSION]);
  expect(await made.give({ wait: "p-1", choice: "allow" })).toBe("STALE");
});

test("what a server of tools asks, or a hook has settled, is not told", async () => {
  const made = await stage();
  made.asks("elicitation", "q-1", "github-search", {
    message: "Your account?",
    requestedSchema: COLOURS,
    elicitationSource: "github",
  });
  made.asks("permission", "p-0", "bash", { resolvedByHook: true, permissionRequest: { kind: "shell", fullCommandText: "ls" } });
  made.emit("permission.requested", null as never);
  made.permits();
  // The first that shows.
  expect(await made.shows("p-1")).toMatchObject({ answerable: true });
});
