import type { Harness, Plan } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { createStyle } from "../style.ts";
import { renderAnswer, renderApplied, renderPlans, reportPlan } from "./plan-view.ts";

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
const lark = { name: "Lark" } as Harness;
const view = (columns?: number): Parameters<typeof renderPlans>[1] => ({
  style: createStyle(1),
  columns,
  env: { HOME: "/home/me", USERPROFILE: "/home/me" },
});
const render = (shown: Plan, diff: boolean, columns?: number): string[] =>
  renderPlans([{ plan: shown, harness: lark }], view(columns), diff);

test("a plan names each file of the person's and what becomes of it, and moth's own together", () => {
  expect(render(plan, false).join("\n")).toMatchInlineSnapshot(`
    "Lark:
      change  /home/me/.lark.json (adds 1 hook)
      remove  /home/me/.old (no longer needed)
      Restart the lark.
    moth itself:
      its programs and notes in /home/me/.moth
    A copy of each file that is there is put beside it first, as <file>.bak-moth-<time>."
  `);
});

const pluginFile = (name: string): Plan["changes"][number] => ({
  file: `/home/me/.lark/plugins/moth/${name}`,
  before: undefined,
  after: Buffer.from(""),
  own: true,
  summary: "adds moth's plugin",
});

test("of a plugin's folder one line says how many files become what; --dry-run names each", () => {
  const old = { ...pluginFile("z.py"), before: Buffer.from("x"), after: undefined };
  const linked = { ...pluginFile("l.py"), real: "/dots/l.py" };
  const many = { ...plan, changes: [pluginFile("a.py"), pluginFile("b.py"), pluginFile("desktop/c.js"), old, linked], notes: [] };
  expect(render(many, false)).toEqual([
    "Lark:",
    "  create  /home/me/.lark/plugins/moth: 3 files (adds moth's plugin)",
    "  remove  /home/me/.lark/plugins/moth/z.py (adds moth's plugin)",
    "  create  /home/me/.lark/plugins/moth/l.py (adds moth's plugin)",
    "          through a link: /dots/l.py",
  ]);
  expect(render(many, true).filter((line) => line.startsWith("  create"))).toHaveLength(4);
  const apart = { ...pluginFile("a.py"), file: "/home/me/.other/a.py" };
  expect(render({ ...many, changes: [pluginFile("a.py"), apart] }, false)).toHaveLength(3);
});

test("with --dry-run the lines as well, and each file of moth's own", () => {
  expect(render(plan, true).join("\n")).toMatchInlineSnapshot(`
    "Lark:
      change  /home/me/.lark.json (adds 1 hook)
                {
              +   "hook": "a very long line indeed"
                }
      remove  /home/me/.old (no longer needed)
              - x
      Restart the lark.
    moth itself:
      create  /home/me/.moth/lib/hook.cjs (the hook program)
    A copy of each file that is there is put beside it first, as <file>.bak-moth-<time>."
  `);
});

test("what several harnesses have in common stands there once, and what to do afterwards comes afterwards", () => {
  const both = [lark, { name: "Wren" } as Harness].map((harness) => ({ plan, harness }));
  for (const diff of [false, true]) {
    const lines = renderPlans(both, view(), diff);
    expect(lines.filter((line) => line.includes("/.moth"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("bak-moth"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("Restart"))).toHaveLength(diff ? 2 : 0);
  }
});

test("a file behind a link is named", () => {
  const [, change] = plan.changes as [unknown, Plan["changes"][number]];
  const linked = { ...plan, changes: [{ ...change, real: "/home/me/dots/lark.json" }], notes: [] };
  expect(render(linked, false)).toEqual([
    "Lark:",
    "  change  /home/me/.lark.json (adds 1 hook)",
    "          through a link: /home/me/dots/lark.json",
    expect.stringContaining("bak-moth"),
  ]);
  expect(reportPlan(linked, undefined).changes).toEqual([
    { file: "/home/me/.lark.json", real: "/home/me/dots/lark.json", does: "change", summary: "adds 1 hook" },
  ]);
});

test("notes break between words, and lines of a diff are cut to the terminal", () => {
  const narrow = render({ ...plan, notes: ["Restart the lark, and all of the other larks that sing."] }, true, 30);
  expect(narrow).toContain('          +   "hook": "a very…');
  expect(narrow).toContain("  Restart the lark, and all of");
  expect(narrow).toContain("  the other larks that sing.");
});

test("nothing to do is said in the words of what was asked", () => {
  expect(render(nothing, true)).toEqual(["Lark: nothing to do, moth is hooked in already."]);
  expect(render({ ...nothing, action: "unhook" }, true)).toEqual(["Lark: nothing to do, moth is not hooked in."]);
});

const applied = { changed: [{ file: "/home/me/.lark.json", summary: "adds 1 hook", backup: "/home/me/.lark.json.bak-moth-1" }] };

test("what was done, and where the old contents are", () => {
  expect(renderApplied(plan, applied, "Lark", "no", view())).toEqual([
    "moth is hooked into Lark.",
    "  /home/me/.lark.json: adds 1 hook",
    "    as it was before: /home/me/.lark.json.bak-moth-1",
    "  Restart the lark.",
  ]);
});

test("after a plan that was read, only files and backups are left to say", () => {
  expect(renderApplied(plan, applied, "Lark", "one", view())).toEqual([
    "moth is hooked into Lark.",
    "  /home/me/.lark.json",
    "    as it was before: /home/me/.lark.json.bak-moth-1",
  ]);
  expect(renderApplied(plan, applied, "Lark", "several", view()).at(-1)).toBe("  Restart the lark.");
  expect(renderApplied(nothing, { changed: [] }, "Lark", "one", view())).toEqual([]);
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
  expect(render({ ...nothing, request }, false)).toEqual([
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
