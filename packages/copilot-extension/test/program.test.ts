/** The built file, started as Copilot starts it: in a process of its own, which finds Copilot's SDK and nothing else. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const BUILT = join(import.meta.dirname, "..", "dist", "extension.mjs");

/** @param sdk the text of Copilot's SDK; it may note what was done in `NOTES` */
function start(answers: string, sdk: string): { code: number | null; printed: string; notes: string } {
  const home = mkdtempSync(join(tmpdir(), "moth copilot "));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, "node_modules", "@github", "copilot-sdk");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", exports: { "./extension": "./extension.js" } }));
  writeFileSync(join(folder, "extension.js"), sdk);
  writeFileSync(join(home, "notes"), "");
  copyFileSync(BUILT, join(home, "extension.mjs"));
  const env = { PATH: process.env["PATH"], MOTH_HOME: home, MOTH_ANSWERS: answers, NOTES: join(home, "notes") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, "extension.mjs")], {
    env,
    encoding: "utf8",
    timeout: 15_000,
  });
  return { code: status, printed: stdout + stderr, notes: readFileSync(join(home, "notes"), "utf8") };
}

const NOTES_JOINING = `
  import { appendFileSync } from "node:fs";
  const note = (what) => appendFileSync(process.env.NOTES, what + "\\n");
  export async function joinSession(config) {
    note("joins " + Object.keys(config));
    return { sessionId: "s", on: () => note("listens"), rpc: {} };
  }`;

test("with answers on it joins and listens; with answers off it ends without a word", () => {
  expect(start("on", NOTES_JOINING)).toEqual({ code: 0, printed: "", notes: "joins onPermissionRequest\nlistens\nlistens\n" });
  expect(start("off", NOTES_JOINING)).toEqual({ code: 0, printed: "", notes: "" });
});

test.each<[string, string]>([
  ["refuses it", `export const joinSession = () => Promise.reject(new Error("no"));`],
  ["gives it something else", `export const joinSession = () => Promise.resolve(null);`],
  ["has no such call", `export {};`],
])("where Copilot %s, it ends without a word", (_what, sdk) => {
  expect(start("on", sdk)).toEqual({ code: 0, printed: "", notes: "" });
});
