import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "./listener.ts";
import {
  answer,
  ask,
  askByKey,
  bodies,
  end,
  finalize,
  model,
  one,
  play,
  python,
  reply,
  reported,
  start,
  type Step,
  tool,
  turn,
  words,
} from "./play.ts";

describe.runIf(python.found)("the plugin in its harness", () => {
  test("says nothing of an interrupted turn but that it is over", async () => {
    expect(await reported([start(), reply("Half of"), end({ interrupted: true })], 2)).toEqual(["working", "idle:interrupted"]);
  });

  test("a failed turn's explanation, written by the harness, is no reply", async () => {
    const failed = [start(), reply("The provider failed."), end({ completed: false, failed: true })];
    expect(await reported(failed, 2)).toEqual(["working", "idle:failed"]);
    const limited = [
      start(),
      reply("I stop here."),
      end({ completed: false, turn_exit_reason: "max_iterations_reached(90/90)" }),
    ];
    expect(await reported(limited, 2)).toEqual(["working", "idle:limit"]);
  });

  test("a turn without text is not heard, nor what the harness says in its place", async () => {
    expect(await reported([start(), end()], 2)).toEqual(["working", "idle:done"]);
    const empty = [start(), model(""), model("<think>hm</think>"), reply("No reply: the model returned nothing."), end()];
    expect(await reported(empty, 2)).toEqual(["working", "idle:done"]);
  });

  test("a reply written beside the last tool call counts when nothing follows", async () => {
    const steps = [start(), model("It is done.", [{ id: "c1", name: "memory" }]), model(""), reply("It is done."), end()];
    expect(await reported(steps, 2)).toEqual(["working", "said:It is done.:done"]);
  });

  test("never posts an older reply again", async () => {
    const second = { turn_id: "turn-2" };
    const steps = [
      ...turn("The first."),
      start(second),
      reply("The first."),
      end(second),
      end(),
      end(second),
      reply("The first."),
      end(),
    ];
    expect(await reported(steps, 4)).toEqual(["working", "said:The first.:done", "working", "idle:done"]);
  });

  test("a window that closes between turns does not interrupt the turn before", async () => {
    const closing: Step[] = [
      end({ turn_id: undefined, completed: false, interrupted: true }),
      { call: "on_session_finalize", event: { session_id: one.session_id, platform: "tui" } },
    ];
    expect(await reported([...turn("Done."), ...closing], 3)).toEqual(["working", "said:Done.:done", "gone"]);
  });

  test("a subagent is silent; its session works until it is over", async () => {
    const child = { session_id: "child", turn_id: "child-turn", platform: "subagent" };
    const begun: Step = { call: "subagent_start", event: { parent_session_id: one.session_id, child_session_id: "child" } };
    const over: Step = { call: "subagent_stop", event: { parent_session_id: one.session_id, child_session_id: "child" } };
    const asks: Step = { call: "pre_approval_request", event: { turn_id: "child-turn", tool_call_id: "c9", surface: "cli" } };
    const steps = [
      start(),
      begun,
      ...turn("From the helper.", child),
      ...turn("From the helper.", { ...child, platform: "cli" }),
      asks,
      reply("A helper is at it."),
      end(),
      over,
      ...turn("It is done.", { turn_id: "turn-2" }),
    ];
    expect(await reported(steps, 5)).toEqual([
      "working",
      "waiting:permission(c9)",
      "said:A helper is at it.:done:working",
      "working",
      "said:It is done.:done",
    ]);
  });

  test("a session whose subagents are over and bring no news is idle", async () => {
    const listener = await listen();
    const folder = mkdtempSync(join(tmpdir(), "moth hermes "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const child = { parent_session_id: one.session_id, child_session_id: "child" };
    const [begun, over] = ["subagent_start", "subagent_stop"].map((call): Step => ({ call, event: child }));
    const sign = join(folder, "go on");
    const steps = [start(), begun, reply("A helper is at it."), end(), over, { wait: sign }].filter((step) => step !== undefined);
    const played = play(steps, { url: listener.url });
    const requests = await listener.take(3);
    writeFileSync(sign, "");
    await played;
    expect(words(requests)).toEqual(["working", "said:A helper is at it.:done:working", "idle"]);
  });

  test("says nothing of the harness's own looking back, under the session's id, nor of its curator", async () => {
    const review = turn("Nothing to save.", { turn_id: "turn-2" }).map((step) => ({ ...step, review: true }));
    const curator = turn("Tidied.", { turn_id: "turn-3", session_id: "curator", platform: "curator" });
    expect(await reported([...turn("Done."), ...review, ...curator], 2)).toEqual(["working", "said:Done.:done"]);
  });

  test("an approval is a wait of its own; one that a model decides is none", async () => {
    const calls = [
      { id: "c1", name: "terminal" },
      { id: "c2", name: "terminal" },
    ];
    const steps = [
      start(),
      model("", calls),
      ask("c0", "smart"),
      answer("c0", "smart"),
      ask("c1"),
      ask("c2"),
      answer("c1"),
      answer("c2"),
    ];
    const listener = await listen();
    await play(steps, { url: listener.url });
    const requests = await listener.take(5);
    expect(words(requests)).toEqual(["working", "waiting:permission(c1)", "waiting:permission(c2)", "working:c1", "working:c2"]);
    expect(bodies(requests)[1]?.["wait"]).toEqual({ id: "c1", kind: "permission", tool: "terminal", answerable: false });
  });

  test("an approval whose turn is not told is found by a key that is the session's id; of a stranger nothing is said", async () => {
    expect(await reported([start(), askByKey("somebody"), askByKey(one.session_id), end()], 3)).toEqual([
      "working",
      "waiting:permission(p)",
      "idle:done",
    ]);
  });

  test("a question to the person is a wait from when the calls before it are over", async () => {
    const calls = [
      { id: "c1", name: "terminal" },
      { id: "c2", name: "clarify" },
    ];
    const steps = [start(), model("", calls), tool("c1", "terminal"), tool("c2", "clarify"), model("Red."), reply("Red."), end()];
    expect(await reported(steps, 4)).toEqual(["working", "waiting:question(c2)", "working:c2", "said:Red.:done"]);
  });

  test("a turn that ends without a word of the harness is seen to be over", async () => {
    const listener = await listen();
    const folder = mkdtempSync(join(tmpdir(), "moth hermes "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const error: Step = { call: "api_request_error", event: { ...one, status_code: 429, reason: "rate_limit" } };
    // The process goes on when this file is there.
    const sign = join(folder, "go on");
    const played = play([{ turn: [start(), error] }, { wait: sign }], { url: listener.url });
    const requests = await listener.take(2);
    writeFileSync(sign, "");
    await played;
    expect(words(requests)).toEqual(["working", "idle:limit"]);
  });

  test("the end of a session, and only of one it has heard of, is told; a turn it cuts short is named", async () => {
    const reset: Step = { call: "on_session_reset", event: { session_id: "new", platform: "cli", reason: "new_session" } };
    const steps = [
      ...turn("Done."),
      finalize(null),
      finalize("never heard of"),
      finalize(one.session_id),
      finalize(one.session_id),
      reset,
    ];
    expect(await reported(steps, 4)).toEqual(["working", "said:Done.:done", "gone", "idle"]);
    expect(await reported([start(), finalize(one.session_id)], 2)).toEqual(["working", "gone:interrupted"]);
  });

  test("a conversation the terminal has left for another one is gone; one in the background, or one that works, is not", async () => {
    const listener = await listen();
    const aside = { session_id: "bg_1", turn_id: "bg" };
    const other = { session_id: "other", turn_id: "turn-2" };
    const third = { session_id: "third", turn_id: "turn-3" };
    await play([...turn("Aside.", aside), ...turn("One."), start(other), ...turn("Three.", third)], { url: listener.url });
    const all = bodies(await listener.take(8));
    expect(all.flatMap((body) => (body["state"] === "gone" ? [body["session"]] : []))).toEqual([one.session_id]);
  });

  test("a compaction that moves the conversation to a new id in mid-turn leaves no ghost", async () => {
    const moved = { session_id: "moved" };
    const listener = await listen();
    await play([start(), reply("Done.", moved), end(moved)], { url: listener.url });
    const all = bodies(await listener.take(3));
    expect(all.map((body) => [body["session"], body["state"]])).toEqual([
      [one.session_id, "working"],
      [one.session_id, "gone"],
      ["moved", "idle"],
    ]);
  });

  test("sessions of one process are kept apart, each named by the folder of its own context, without a pid", async () => {
    const root = mkdtempSync(join(tmpdir(), "moth hermes "));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const a = { session_id: "a", turn_id: "ta", platform: "telegram" };
    const b = { session_id: "b", turn_id: "tb", platform: "telegram" };
    const at = (folder: string, steps: Step[]): Step[] => steps.map((step) => ({ ...step, cwd: join(root, folder) }));
    const [startA, , ...endA] = at("moth repo", turn("From a.", a));
    const [startB, , ...endB] = at("other", turn("From b.", b));
    const listener = await listen();
    await play([startA as Step, startB as Step, ...endB, ...endA], { url: listener.url });
    const all = bodies(await listener.take(4));
    expect(all.map((body) => [body["session"], body["label"], body["text"]])).toEqual([
      ["a", "moth repo", undefined],
      ["b", "other", undefined],
      ["b", "other", "From b."],
      ["a", "moth repo", "From a."],
    ]);
    for (const body of all) expect(body).not.toHaveProperty("pid");
  });
});
