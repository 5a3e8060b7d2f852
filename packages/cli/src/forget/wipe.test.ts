import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import { planWipe, wipe, type WipeScope } from "./wipe.ts";

const FILES = [
  "token",
  "config.json",
  "run/4747.json",
  "run/4747.log",
  "run/4747.roster.json",
  "run/heard.json",
  "run/compiled/lark.0123456789ab.x64%2Fopt%2Fnode",
  "run/waits/3f2a91bc-0001",
  "run/notes/lark.3f2a91bc-0001",
  "home/.made-by-moth",
  "home/diary.md",
  "home/likes.md",
  "backups/settings.json.bak-moth-20261130",
  "bin/moth-hook",
  "lib/moth-hook-program.js",
  "lib/moth-hook.cjs",
];

/** A person's home with moth's folder in it. */
function make(extra: string[] = []): { home: string; person: string } {
  const person = tempFolder();
  const home = join(person, ".moth");
  for (const file of [...FILES, ...extra]) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), "x");
  }
  return { home, person };
}
function forget(home: string, person: string, scope: Partial<WipeScope> = {}): { deleted: string[]; left: string[] } {
  const { deleted, left } = wipe({ HOME: person, MOTH_HOME: home }, { all: false, token: false, hooked: false, ...scope });
  const short = (path: string): string => relative(home, path) || ".";
  return { deleted: deleted.map(short).sort(), left: left.map(({ path, why }) => `${short(path)}: ${why}`) };
}

test("without flags only logs, who was there, and what was said go", () => {
  const { home, person } = make(["run/4747.roster.json.81.tmp"]);
  expect(forget(home, person)).toEqual({
    deleted: ["run/4747.log", "run/4747.roster.json", "run/4747.roster.json.81.tmp", "run/notes/lark.3f2a91bc-0001"],
    left: [],
  });
  expect(existsSync(join(home, "run/4747.json"))).toBe(true);
});

test("a plan touches nothing, and what comes after it stays", () => {
  const { home, person } = make();
  const env = { HOME: person, MOTH_HOME: home };
  const scope = { all: false, token: false, hooked: false };
  const plan = planWipe(env, scope);
  const files = ["run/4747.log", "run/4747.roster.json", "run/notes/lark.3f2a91bc-0001"].map((name) => join(home, name));
  expect(plan).toEqual({ files, left: [] });
  expect(FILES.filter((file) => !existsSync(join(home, file)))).toEqual([]);
  writeFileSync(join(home, "run/5000.log"), "new");
  expect(wipe(env, scope, plan).deleted).toEqual(plan.files);
  expect(existsSync(join(home, "run/5000.log"))).toBe(true);
});

test("--all: everything moth wrote for itself; token and settings stay and that is said", () => {
  const { home, person } = make();
  const { deleted, left } = forget(home, person, { all: true });
  expect(deleted).toEqual(
    [...FILES.slice(2), "backups", "bin", "home", "lib", "run", "run/compiled", "run/notes", "run/waits"].sort(),
  );
  expect(left).toEqual(["config.json: --token deletes it too", "token: --token deletes it too"]);
  expect(readdirSync(home).sort()).toEqual(["config.json", "token"]);
});

test("--all --token: nothing is left, not even the folder", () => {
  const { home, person } = make();
  expect(forget(home, person, { all: true, token: true }).left).toEqual([]);
  expect(existsSync(home)).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "the pipe of a moth that was killed goes with --all; what only has its name stays",
  () => {
    const { home, person } = make(["run/5000.in"]);
    execFileSync("mkfifo", [join(home, "run/4747.in")]);
    expect(forget(home, person).deleted).not.toContain("run/4747.in");
    const { deleted, left } = forget(home, person, { all: true });
    expect(deleted).toContain("run/4747.in");
    expect(left).toContain("run/5000.in: not a pipe");
  },
);

test("while a harness is hooked, the program it calls stays", () => {
  const { home, person } = make();
  const { left } = forget(home, person, { all: true, token: true, hooked: true });
  expect(left).toEqual([
    "bin: harnesses still call it: moth unhook --all first",
    "lib: harnesses still call it: moth unhook --all first",
  ]);
  expect(existsSync(join(home, "bin/moth-hook")) && existsSync(join(home, "lib/moth-hook.cjs"))).toBe(true);
});

test("what is not moth's stays, wherever it lies", () => {
  const mine = [
    "notes.txt",
    "run/notes.txt",
    "run/4747.log.old",
    "bin/tool",
    "lib/moth-hook.cjs.bak",
    "backups/mine.tar",
    "home/Diary.pdf",
    "home/pictures/diary.md",
  ];
  const { home, person } = make(mine);
  forget(home, person, { all: true, token: true });
  expect(mine.filter((file) => !existsSync(join(home, file)))).toEqual([]);
});

test("a home that moth did not make is the person's", () => {
  const person = tempFolder();
  const home = join(person, "things");
  mkdirSync(join(home, "home"), { recursive: true });
  writeFileSync(join(home, "home/diary.md"), "mine");
  expect(forget(home, person, { all: true, token: true }).deleted).toEqual([]);
  expect(existsSync(join(home, "home/diary.md"))).toBe(true);
});

test("links are left alone, and so is what they point at", () => {
  const { home, person } = make();
  const target = tempFolder();
  for (const file of ["4747.json", "5000.log"]) writeFileSync(join(target, file), "precious");
  symlinkSync(join(target, "5000.log"), join(home, "run/5000.log"));
  expect(forget(home, person).left).toEqual(["run/5000.log: not a plain file"]);
  expect(readdirSync(target)).toEqual(["4747.json", "5000.log"]);
});

test("a folder that is a link is not entered", () => {
  const { home, person } = make();
  const target = tempFolder();
  writeFileSync(join(target, "4747.log"), "precious");
  const other = join(person, "other");
  mkdirSync(other);
  symlinkSync(target, join(other, "run"));
  expect(forget(other, person, { all: true, token: true }).deleted).toEqual([]);
  symlinkSync(home, join(person, "link"));
  expect(() => forget(join(person, "link"), person)).toThrow(/is a link, so nothing in it was deleted/);
  expect(existsSync(join(target, "4747.log"))).toBe(true);
});

test("the root, the person's home and what is above it are never swept", () => {
  const person = tempFolder();
  mkdirSync(join(person, "bin"));
  for (const file of ["token", "config.json", "bin/moth-hook"]) writeFileSync(join(person, file), "precious");
  const inner = join(person, "inner");
  mkdirSync(inner);
  expect(() => forget("/", person, { all: true, token: true })).toThrow(/nothing in it was deleted/);
  expect(() => forget(person, person, { all: true, token: true })).toThrow(/is not a folder of moth's alone/);
  expect(() => forget(person, inner, { all: true, token: true })).toThrow(/is not a folder of moth's alone/);
  expect(readdirSync(person).sort()).toEqual(["bin", "config.json", "inner", "token"]);
});

test("a folder that was never made has nothing to forget", () => {
  expect(forget(join(tempFolder(), "none"), tempFolder(), { all: true })).toEqual({ deleted: [], left: [] });
});

test.skipIf(process.getuid?.() === 0)("what may not be deleted is named", () => {
  const { home, person } = make();
  chmodSync(join(home, "run"), 0o500);
  try {
    expect(forget(home, person).left).toEqual(["run/4747.log: EACCES"]);
  } finally {
    chmodSync(join(home, "run"), 0o700);
  }
});
