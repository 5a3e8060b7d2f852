import type { Plan } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { renderAnswer, renderApplied, renderPlan, reportPlan } from "./plan-view.ts";

const plan: Plan = {
  harness: "lark",
  action: "hook",
  changes: [
    {
      file: "/home/me/.moth/lib/hook.cjs",
      before: undefined,
      after: Buffer.from("secret sauce\n"),
      own: true,
      summary: "the hook program",
    },
    {
      file: "/home/me/.lark.json",
      before: Buffer.from("{\n}\n"),
      after: Buffer.from('{\n  "hook": "a very long line indeed"\n}\n'),
      summary: "adds 1 hook",
    },
    { file: "/home/me/.old", before: Buffer.from("x"), after: undefined, summary: "no longer needed" },
  ],
  notes: ["Restart the lark."],
  again: () => Promise.resolve(plan),
};
const nothing: Plan = { ...plan, changes: [], notes: [] };
const view = (columns?: number): { style: ReturnType<typeof createStyle>; columns: number | undefined } => ({
  style: createStyle(1),
  columns,
});

test("a plan names each file, what becomes of it, and with --dry-run the lines", () => {
  expect(renderPlan(plan, "Lark", view(), true).join("\n")).toMatchInlineSnapshot(`
    "Lark:
      create  /home/me/.moth/lib/hook.cjs
              the hook program
      change  /home/me/.lark.json
              adds 1 hook
                {
              +   "hook": "a very long line indeed"
                }
      remove  /home/me/.old
              no longer needed
              - x
      Restart the lark."
  `);
  expect(renderPlan(plan, "Lark", view(), false).join("\n")).not.toContain("+");
});

test("lines of a diff are cut to the terminal", () => {
  expect(renderPlan(plan, "Lark", view(30), true)).toContain('          +   "hook": "a very…');
});

test("nothing to do is said in the words of what was asked", () => {
  expect(renderPlan(nothing, "Lark", view(), true)).toEqual(["Lark: nothing to do, moth is hooked in already."]);
  expect(renderPlan({ ...nothing, action: "unhook" }, "Lark", view(), true)).toEqual([
    "Lark: nothing to do, moth is not hooked in.",
  ]);
});

const applied = { changed: [{ file: "/home/me/.lark.json", summary: "adds 1 hook", backup: "/home/me/.lark.json.bak-moth-1" }] };

test("what was done, and where the old contents are", () => {
  expect(renderApplied(plan, applied, "Lark", false)).toEqual([
    "moth is hooked into Lark.",
    "  /home/me/.lark.json: adds 1 hook",
    "    as it was before: /home/me/.lark.json.bak-moth-1",
    "  Restart the lark.",
  ]);
});

test("after a plan that was read, only files and backups are left to say", () => {
  expect(renderApplied(plan, applied, "Lark", true)).toEqual([
    "moth is hooked into Lark.",
    "  /home/me/.lark.json",
    "    as it was before: /home/me/.lark.json.bak-moth-1",
  ]);
  expect(renderApplied(nothing, { changed: [] }, "Lark", true)).toEqual([]);
});

test("as JSON: what a program needs, no contents", () => {
  expect(reportPlan(plan, applied)).toEqual({
    harness: "lark",
    action: "hook",
    changes: [
      { file: "/home/me/.moth/lib/hook.cjs", does: "create", summary: "the hook program" },
      { file: "/home/me/.lark.json", does: "change", summary: "adds 1 hook", backup: "/home/me/.lark.json.bak-moth-1" },
      { file: "/home/me/.old", does: "remove", summary: "no longer needed" },
    ],
    notes: ["Restart the lark."],
    applied: true,
  });
  expect(reportPlan(plan, undefined).applied).toBe(false);
});

const request = {
  summary: "to trust moth's 7 hooks",
  file: "/home/me/.lark.toml",
  run: () => Promise.resolve({ ok: true, note: "" }),
};

test("what the harness is asked for, the file it changes then, and where that one's old contents are", () => {
  expect(renderPlan({ ...nothing, request }, "Lark", view(), false)).toEqual([
    "Lark:",
    "  ask     Lark to trust moth's 7 hooks",
    "          it changes /home/me/.lark.toml",
  ]);
  const answer = { ok: true, note: "Lark trusts moth.", backup: "/home/me/.lark.toml.bak-moth-1" };
  expect(renderAnswer(answer, request.file)).toEqual([
    "  Lark trusts moth.",
    "  /home/me/.lark.toml",
    "    as it was before: /home/me/.lark.toml.bak-moth-1",
  ]);
  expect(renderAnswer({ ok: true, note: "Lark trusts moth." }, request.file)).toEqual(["  Lark trusts moth."]);
  expect(reportPlan({ ...nothing, request }, applied, answer)).toMatchObject({
    request: "to trust moth's 7 hooks",
    requestFile: { file: "/home/me/.lark.toml", backup: "/home/me/.lark.toml.bak-moth-1" },
  });
  expect(reportPlan({ ...nothing, request }, undefined).requestFile).toEqual({ file: "/home/me/.lark.toml" });
});
