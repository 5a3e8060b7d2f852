import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { state, turn, waiting } from "../test/reports.ts";
import { end, hear, place, rows } from "../test/roster-place.ts";
import { tempHome } from "../test/support.ts";

test("nothing an agent wrote is in the file: no reply, no question, no command, no option, no reason", () => {
  const at = place();
  const old = at.begin();
  const asked = { text: "rm -rf SECRET", options: ["SECRET a", "SECRET b"], why: "SECRET", answerable: true };
  hear(old.moth, turn({ session: "a", text: "SECRET reply", turn: "t1" }));
  hear(old.moth, waiting("w1", { session: "b", wait: { id: "w1", kind: "permission", tool: "Bash", ...asked } }));
  at.pass(2000);
  const text = readFileSync(at.file, "utf8");
  expect(text).toContain('"Bash"');
  expect(text).not.toContain("SECRET");
  if (process.platform !== "win32") expect(statSync(at.file).mode & 0o777).toBe(0o600);
  end(old);
  expect(readFileSync(at.file, "utf8")).not.toContain("SECRET");
});

const broken: [string, (file: string) => void][] = [
  ["no JSON", (file) => writeFileSync(file, "{ broken", { mode: 0o600 })],
  ["a list", (file) => writeFileSync(file, "[]", { mode: 0o600 })],
  ["empty", (file) => writeFileSync(file, "", { mode: 0o600 })],
  ["cut off", (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, -9))],
  ["of another version", (file) => writeFileSync(file, readFileSync(file, "utf8").replace('"roster":1', '"roster":2'))],
  ["huge", (file) => writeFileSync(file, readFileSync(file, "utf8") + " ".repeat(3 << 20))],
];
test.each(broken)("a file that is %s is none, and the next one is right", (_name, breakIt) => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working"));
  end(old);
  breakIt(at.file);
  const next = at.begin();
  expect(rows(next.moth)).toEqual([]);
  hear(next.moth, state("idle"));
  end(next);
  expect(rows(at.begin().moth)).toEqual(["s1 moth idle"]);
});

test.skipIf(process.platform === "win32")(
  "a link is not read, and not written through; a file that others may change is none",
  () => {
    const at = place();
    const old = at.begin();
    hear(old.moth, state("working"));
    end(old);
    const elsewhere = join(tempHome(), "elsewhere");
    writeFileSync(elsewhere, readFileSync(at.file), { mode: 0o600 });
    chmodSync(at.file, 0o666);
    expect(rows(at.begin().moth)).toEqual([]);
    symlinkSync(elsewhere, at.file);
    const next = at.begin();
    expect(rows(next.moth)).toEqual([]);
    const text = readFileSync(elsewhere, "utf8");
    hear(next.moth, state("idle"));
    end(next);
    expect(readFileSync(elsewhere, "utf8")).toBe(text);
    expect(statSync(at.file).isFile()).toBe(true);
  },
);

test("a folder in its place, and one that cannot be written, harm nobody", () => {
  const at = place();
  mkdirSync(at.file, { recursive: true });
  const { moth, keeper } = at.begin();
  hear(moth, state("working"));
  at.pass(60_000);
  expect(rows(moth)).toEqual(["s1 moth working"]);
  expect(() => keeper.close()).not.toThrow();
});

test("a row that moth would not have written is left out, and the others are taken back", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, ...["a", "b", "c", "d", "e"].map((session) => state("idle", { session, label: `label-${session}` })));
  end(old);
  const text = readFileSync(at.file, "utf8");
  const changed = text
    .replace('"label-b"', String.raw`"\u001b]0;title\u0007"`)
    .replace('"session":"c"', '"session":"c\\nd"')
    .replace(/("session":"d".*?"base":)"idle"/, '$1"flying"')
    .replace(/("session":"e".*?"heard":)\d+/, "$1null");
  writeFileSync(at.file, changed);
  expect(rows(at.begin().moth)).toEqual(["a label-a idle"]);
});

test("a thousand sessions are kept, and of those with endless words as many as the file may hold", () => {
  const at = place();
  const old = at.begin();
  const long = "x".repeat(1000);
  for (let n = 0; n < 1000; n++) hear(old.moth, state("idle", { session: `s${n}`, label: `l${n}` }));
  end(old);
  const next = at.begin();
  expect(next.moth.roster().sessions).toHaveLength(1000);
  for (let n = 0; n < 1000; n++) hear(next.moth, state("idle", { session: `s${n}`, cwd: `/${long}` }));
  end(next);
  expect(statSync(at.file).size).toBeLessThan(1.1 * 1024 * 1024);
  expect(at.begin().moth.roster().sessions.length).toBeGreaterThan(500);
});

test("what a moth that was killed while it wrote has left is removed", () => {
  const at = place();
  const old = at.begin();
  hear(old.moth, state("working"));
  end(old);
  writeFileSync(`${at.file}.123.tmp`, "half");
  at.begin();
  expect(existsSync(`${at.file}.123.tmp`)).toBe(false);
  expect(existsSync(at.file)).toBe(true);
});
