import { expect, test } from "vitest";
import { chatBody, muteBody, resetBody, seenBody, stateBody, turnBody } from "./schema.ts";

const turn = { text: "Done.", source: "pi" };
const state = { state: "working", source: "pi" };
const wait = { id: "w1", kind: "permission", answerable: false };

test("an older adapter sends text and source, no more", () => {
  expect(turnBody.read(turn)).toEqual({ ok: true, value: turn });
});

test("everything the protocol names comes through, everything else stays out", () => {
  const origin = { session: "s1", label: "moth", seq: 5, pid: 42, cwd: "/home/ada/moth" };
  const full = { ...turn, ...origin, outcome: "failed", turn: "t1", state: "working" };
  expect(turnBody.read({ ...full, prompt: "secret", home: "/home/ada" })).toEqual({ ok: true, value: full });
  const fullState = { ...state, ...origin, ended: "w1", outcome: "done", pane: "%3" };
  expect(stateBody.read({ ...fullState, home: "/home/ada" })).toEqual({ ok: true, value: fullState });
});

test.each(["/home/ada/mein  Café 🦋", "C:\\Users\\Ada", "D:/work", "\\\\wsl$\\home", "/"])(
  "the folder %j comes through as it stands",
  (cwd) => {
    expect(stateBody.read({ ...state, cwd })).toEqual({ ok: true, value: { ...state, cwd } });
  },
);

test.each(["work", "~/work", "-C/etc", "", "/a\nb", "/a\u001b[31mb", "/a\u202eb", "/a\u0000", `/${"a".repeat(1024)}`])(
  "the folder %j is none: it counts as not given",
  (cwd) => {
    expect(stateBody.read({ ...state, cwd })).toEqual({ ok: true, value: state });
  },
);

test("null and nothing are the same for what is optional", () => {
  expect(
    turnBody.read({ ...turn, session: null, label: null, seq: null, pid: null, outcome: null, turn: null, state: null }),
  ).toEqual({
    ok: true,
    value: turn,
  });
  expect(turnBody.read({ ...turn, session: "", label: "  " })).toEqual({ ok: true, value: turn });
});

test.each<[string, object]>([
  ["text", { source: "pi" }],
  ["text", { ...turn, text: null }],
  ["text", { ...turn, text: 5 }],
  ["text", { ...turn, text: "" }],
  ["text", { ...turn, text: " \n\t" }],
  ["text", { ...turn, text: "\u001b[31m\u001b[0m\u0000" }],
  ["source", { text: "Done." }],
  ["source", { ...turn, source: "" }],
  ["source", { ...turn, source: ["pi"] }],
  ["session", { ...turn, session: 5 }],
  ["label", { ...turn, label: {} }],
  ["seq", { ...turn, seq: "5" }],
  ["seq", { ...turn, seq: -1 }],
  ["pid", { ...turn, pid: 0 }],
  ["pid", { ...turn, pid: -1 }],
  ["pid", { ...turn, pid: 1.5 }],
  ["pid", { ...turn, pid: 2 ** 60 }],
  ["outcome", { ...turn, outcome: "great" }],
  ["turn", { ...turn, turn: 7 }],
  ["state", { ...turn, state: "waiting" }],
])("a turn report with a bad %s is refused by that name", (field, body) => {
  expect(turnBody.read(body)).toEqual({ ok: false, message: expect.stringMatching(new RegExp(`^${field}: must `)) });
});

test.each<[string, object]>([
  ["state", { source: "pi" }],
  ["state", { ...state, state: "busy" }],
  ["wait", { ...state, state: "waiting" }],
  ["wait", { ...state, state: "waiting", wait: null }],
  ["wait", { ...state, state: "waiting", wait: "permission" }],
  ["wait.id", { ...state, state: "waiting", wait: { ...wait, id: "" } }],
  ["wait.kind", { ...state, state: "waiting", wait: { ...wait, kind: "coffee" } }],
  ["wait.options.1", { ...state, state: "waiting", wait: { ...wait, options: ["a", 2] } }],
  ["wait.answerable", { ...state, state: "waiting", wait: { ...wait, answerable: "yes" } }],
  ["ended", { ...state, ended: 1 }],
  ["outcome", { ...state, outcome: "gone" }],
  ["pane", { ...state, pane: 3 }],
])("a state report with a bad %s is refused by that name", (field, body) => {
  expect(stateBody.read(body)).toEqual({ ok: false, message: expect.stringMatching(new RegExp(`^${field}: must `)) });
});

test("ids, labels and texts come in clean", () => {
  expect(
    turnBody.read({
      text: "\u001b[1mred\r\ndone\u0007 ",
      source: "p i",
      session: "a b\u0000c",
      label: "mo\u202eth\n",
      turn: "t\n1",
    }),
  ).toEqual({
    ok: true,
    value: { text: "red\ndone", source: "p_i", session: "a_b_c", label: "moth", turn: "t_1" },
  });
});

test("a wait is cut to what can be shown", () => {
  const long = {
    ...wait,
    tool: `Ba\u001b[31msh${"x".repeat(200)}`,
    text: "y".repeat(9000),
    options: Array.from({ length: 50 }, (_, i) => `option ${i}`),
  };
  const checked = stateBody.read({ ...state, state: "waiting", wait: long });
  if (!checked.ok) throw new Error(checked.message);
  expect(checked.value.wait).toMatchObject({ id: "w1", tool: expect.stringMatching(/^Bashx+…$/), answerable: false });
  expect(checked.value.wait?.tool?.length).toBeLessThanOrEqual(80);
  expect(checked.value.wait?.text?.length).toBeLessThanOrEqual(4000);
  expect(checked.value.wait?.options).toHaveLength(20);
});

const asks = { ...wait, text: "echo hello", answerable: true };
test.each<[string, object]>([
  ["a command behind an escape string", { text: "echo hello \u001b]0; touch EVIL; echo \u0007 ok" }],
  ["the same, with its 8-bit form", { text: "echo one \u009d; touch EVIL; \u009c two" }],
  ["a mark that turns the reading direction", { text: "echo \u202egpj.exe" }],
  ["a character that shows as nothing", { text: "rm -r build\u200b/../src" }],
  ["a blank that is no space", { text: "rm -rf build\u00a0/tmp" }],
  ["the same of another width", { text: "rm -rf build\u2009/tmp" }],
  ["more than is shown", { text: "x".repeat(4001) }],
  ["options that look alike", { options: ["Allow", "allow"] }],
  ["an option that is cut", { options: ["Yes", "x".repeat(300)] }],
  ["more options than are shown", { options: Array.from({ length: 21 }, (_, at) => `option ${at}`) }],
])("%s is not to be answered from afar, whatever the adapter says", (_what, part) => {
  const checked = stateBody.read({ ...state, state: "waiting", wait: { ...asks, ...part } });
  const why = expect.stringMatching(/^[A-Z].*\.$/) as string;
  expect(checked).toMatchObject({ ok: true, value: { wait: { answerable: false, why } } });
});

test("a question may be written with the blanks of its language", () => {
  const french = { ...asks, kind: "question", text: "Continuer\u202f?" };
  expect(stateBody.read({ ...state, state: "waiting", wait: french })).toMatchObject({ value: { wait: { answerable: true } } });
});

test("a wait that shows whole stays answerable", () => {
  const plain = { ...asks, text: "printf 'häuser 家\t🦋 ❤️ 👩‍💻'\r\nnpm test\n", options: ["Yes", "No, go on without it"] };
  expect(stateBody.read({ ...state, state: "waiting", wait: plain })).toMatchObject({ value: { wait: { answerable: true } } });
});

function readWaiting(part: object): unknown {
  return stateBody.read({ ...state, state: "waiting", wait: { ...wait, ...part } });
}

test("why a wait cannot be answered is one line, and stands only where it cannot", () => {
  expect(readWaiting({ why: "It asks\nfor a \u001b[1msecret." })).toMatchObject({
    value: { wait: { why: "It asks for a secret." } },
  });
  expect(readWaiting({ answerable: true, text: "ls", why: "No." })).not.toHaveProperty("value.wait.why");
});

test("a wait beside another state is left out; one that says nothing of answers has none", () => {
  expect(stateBody.read({ ...state, wait })).toEqual({ ok: true, value: state });
  expect(stateBody.read({ ...state, state: "waiting", wait: { id: "w1", kind: "plan" } })).toEqual({
    ok: true,
    value: { source: "pi", state: "waiting", wait: { id: "w1", kind: "plan", answerable: false } },
  });
});

test("what the person says and what is to be forgotten are read too", () => {
  expect(chatBody.read({ text: " hello\u0007 " })).toEqual({ ok: true, value: { text: "hello" } });
  expect(chatBody.read({ text: "" })).toEqual({ ok: false, message: "text: must not be empty" });
  expect(resetBody.read({})).toEqual({ ok: true, value: { everything: false } });
  expect(resetBody.read({ everything: true })).toEqual({ ok: true, value: { everything: true } });
  expect(resetBody.read({ everything: "yes" })).toEqual({ ok: false, message: "everything: must be true or false" });
});

test("whom the person has looked at, and whom to mute", () => {
  const whom = { source: "p i", session: "s\n1" };
  expect(seenBody.read(whom)).toEqual({ ok: true, value: { whom: { source: "p_i", session: "s_1" } } });
  expect(seenBody.read({ source: null })).toEqual({ ok: true, value: { whom: undefined } });
  expect(seenBody.read({ source: "" })).toEqual({ ok: false, message: "source: must not be empty" });
  expect(muteBody.read({ source: "pi", seconds: 60 })).toEqual({
    ok: true,
    value: { whom: { source: "pi", session: "" }, seconds: 60, off: false },
  });
  expect(muteBody.read({ off: true })).toEqual({ ok: true, value: { whom: undefined, seconds: undefined, off: true } });
  expect(muteBody.read({ seconds: 0 })).toEqual({ ok: false, message: "seconds: must be more than zero" });
  expect(muteBody.read({ seconds: "1" })).toEqual({ ok: false, message: "seconds: must be a number" });
});

test("a field named like an object's own is no field", () => {
  expect(turnBody.read(JSON.parse(`{"__proto__": {"text": "x", "source": "y"}}`))).toMatchObject({ ok: false });
});
