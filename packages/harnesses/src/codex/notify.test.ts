import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isNotification, readNotification } from "./notify.ts";

const SESSION = "019a7b00-1111-7aaa-8bbb-000000000001";
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "moth codex "));
  const made = new Date(Number.parseInt(SESSION.replaceAll("-", "").slice(0, 12), 16));
  const day = [made.getFullYear(), made.getMonth() + 1, made.getDate()].map((part) => String(part).padStart(2, "0"));
  const record = join(home, "sessions", ...day, `rollout-x-${SESSION}.jsonl`);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, "{}\n");
});
afterAll(() => rmSync(home, { recursive: true }));

const fixture = (name: string): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", `${name}.json`), "utf8")) as object;
const read = (payload: unknown): unknown => readNotification(payload, { env: { CODEX_HOME: home }, seq: 7 });

it("the end of a turn of the person's is its reply, with the turn's id", () => {
  const turn = "019a7b00-3333-7aaa-8bbb-000000000003";
  const body = {
    source: "codex",
    session: SESSION,
    label: "my-app",
    cwd: "/home/ada/my-app",
    seq: 7,
    text: "The login works again.",
    outcome: "done",
    state: "idle",
    turn,
  };
  expect(read(fixture("notify"))).toEqual([{ to: "agent", body }]);
});

it.each(["notify-title", "notify-subagent"])("%s tells nothing", (name) => {
  expect(isNotification(fixture(name))).toBe(true);
  expect(read(fixture(name))).toEqual([]);
});

it("neither does a turn without a word, nor what is foreign", () => {
  expect(read({ ...fixture("notify"), "last-assistant-message": " \n" })).toEqual([]);
  expect(read({ ...fixture("notify"), "last-assistant-message": null })).toEqual([]);
  expect(read({ ...fixture("notify"), "thread-id": 7 })).toEqual([]);
  for (const payload of [undefined, null, 7, [], {}, { type: "other" }]) expect(isNotification(payload)).toBe(false);
});
