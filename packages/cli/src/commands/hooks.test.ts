import { expect, test } from "vitest";
import type { HookReport } from "../hook-report.ts";
import { nextStep } from "../next-step.ts";
import { createStyle } from "../style.ts";
import { renderHarnesses } from "../up/greeting.ts";
import { renderHooks } from "./hooks.ts";

const NOW = 10_000_000;
const report = (id: string, more: Partial<HookReport> = {}): HookReport => ({
  id,
  name: `The ${id}`,
  found: true,
  version: "1.2.3",
  configDir: "/home/me",
  status: "not-installed",
  where: [],
  notifiers: [],
  movedBy: [],
  ...more,
});
const hooked = report("lark", { status: "installed", lastHeard: NOW - 120_000 });
const silent = report("finch", { status: "installed" });
const broken = report("wren", {
  status: "broken",
  problem: "/home/me/.moth/bin/moth-hook is missing",
  advice: "Run moth hook wren again",
});
const absent: HookReport = {
  id: "owl",
  name: "The owl",
  found: false,
  configDir: "",
  status: "not-installed",
  where: [],
  notifiers: [],
  movedBy: [],
};
const unknown = report("crow", {
  found: false,
  status: "unknown",
  problem: "could not be looked at (oops)",
  advice: "Please report this",
});

const draw = (reports: HookReport[], columns: number | undefined): string =>
  renderHooks(reports, { now: NOW, columns, style: createStyle(0), self: "moth" }).join("\n");

test("80 columns", () => {
  expect(draw([hooked, silent, broken, report("swift"), absent, unknown], 80)).toMatchInlineSnapshot(`
    "HARNESS    FOUND  MOTH        LAST HEARD
    The lark   1.2.3  hooked      2m ago
    The finch  1.2.3  hooked      never
    The wren   1.2.3  broken      never
    The swift  1.2.3  not hooked
    The owl    no     not hooked
    The crow   no     unknown

    The wren: /home/me/.moth/bin/moth-hook is missing. Run moth hook wren again.
    The crow: could not be looked at (oops). Please report this."
  `);
});

test("40 columns", () => {
  expect(draw([hooked, silent, broken, report("swift"), absent], 40)).toMatchInlineSnapshot(`
    "HARNESS    FOUND  MOTH        LAST HEARD
    The lark   1.2.3  hooked      2m ago
    The finch  1.2.3  hooked      never
    The wren   1.2.3  broken      never
    The swift  1.2.3  not hooked
    The owl    no     not hooked

    The wren: /home/me/.moth/bin/moth-hook
    is missing. Run moth hook wren again."
  `);
});

test("a harness that moth was never run with is told of", () => {
  const why = "it needs an account";
  expect(draw([hooked, report("swift", { notVerified: why }), absent], 80)).toMatchInlineSnapshot(`
    "HARNESS    FOUND  MOTH        LAST HEARD
    The lark   1.2.3  hooked      2m ago
    The swift  1.2.3  not hooked
    The owl    no     not hooked

    The swift: not verified live, since it needs an account.

    Next: moth tail"
  `);
});

test("a hook that is as it should be gets no advice, and the next step stays", () => {
  const lines = draw([report("lark", { status: "installed", problem: "it could not be asked" })], undefined).split("\n");
  expect(lines.slice(-3)).toEqual(["The lark: it could not be asked.", "", "Next: moth tail"]);
});

test("other notifiers are named below the table", () => {
  const noisy = [report("lark", { notifiers: ["peon-ping"] }), report("finch", { notifiers: ["Code-Notify", "ccmux", "herdr"] })];
  const lines = draw(noisy, undefined).split("\n");
  expect(lines).toContain("The lark: peon-ping tells of its turns, too.");
  expect(lines).toContain("The finch: Code-Notify, ccmux and herdr tell of its turns, too.");
});

test.each([
  ["nothing found", [absent], "No harness was found on this machine. moth knows: The owl. Install one, then: moth setup"],
  ["one found", [report("lark"), absent], "Next, hook moth into it: moth hook lark"],
  ["several found", [report("lark"), report("finch")], "Next, hook moth into them: moth hook --all"],
  ["one hooked", [hooked, report("finch")], "Next: moth tail"],
  ["one sick", [hooked, broken], "The wren: /home/me/.moth/bin/moth-hook is missing. Run moth hook wren again."],
  ["one that could not be looked at", [hooked, unknown], "Next: moth tail"],
])("the next step with %s", (_, reports, step) => {
  expect(nextStep(reports, "moth")).toBe(step);
});

test("the greeting of moth up names what is here and how it is", () => {
  expect(renderHarnesses([hooked, report("finch"), absent, report("wren", { found: false, status: "outdated" })], 80)).toEqual([
    "  The lark 1.2.3   hooked",
    "  The finch 1.2.3  not hooked",
    "  The wren 1.2.3   outdated, but not found here",
  ]);
});
