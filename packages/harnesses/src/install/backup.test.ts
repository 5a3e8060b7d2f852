import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planHook, planUnhook } from "../claude-code/install.ts";
import { installer } from "../../test/installer.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";

const SETTINGS = ".claude/settings.json";
let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

const { hook, unhook } = installer({ planHook, planUnhook }, () => home);
const copies = (): string[] => home.backups().map((name) => home.read(name));

it("a file that is what it was before moth came has no copy left, however often moth comes and goes", async () => {
  home.write(SETTINGS, '{ "a": 1 }');
  for (let round = 0; round < 3; round++) {
    await hook();
    expect(copies()).toEqual(['{ "a": 1 }']);
    const { changed } = await unhook();
    expect(changed.find(({ file }) => file === home.at(SETTINGS))).toMatchObject({ isAsBefore: true });
    expect([home.read(SETTINGS), copies()]).toEqual(['{ "a": 1 }', []]);
  }
});

it("one that the person changed meanwhile keeps the copy of what it was, and that of what it became", async () => {
  home.write(SETTINGS, '{ "a": 1 }');
  await hook();
  home.write(SETTINGS, home.read(SETTINGS).replace('"a": 1', '"a": 2'));
  const { changed } = await unhook();
  expect(home.read(SETTINGS)).toBe('{ "a": 2 }');
  expect(changed.find(({ file }) => file === home.at(SETTINGS))?.backup).toBeDefined();
  expect(copies()).toEqual(['{ "a": 1 }', expect.stringMatching(/"a": 2.*moth-hook/s)]);
});

it("the same contents are not copied twice, unless the file was closed meanwhile", async () => {
  home.write(SETTINGS, '{ "a": 1 }', 0o644);
  await hook();
  home.write(SETTINGS, '{ "a": 1 }');
  await hook();
  expect(copies()).toEqual(['{ "a": 1 }']);
  home.write(SETTINGS, '{ "a": 1 }');
  chmodSync(home.at(SETTINGS), 0o600);
  const { changed } = await hook();
  const backup = changed.find(({ file }) => file === home.at(SETTINGS))?.backup ?? "";
  if (process.platform !== "win32") expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(readFileSync(backup, "utf8")).toBe('{ "a": 1 }');
});

it("what only looks like a copy of moth's stays", async () => {
  home.write(SETTINGS, '{ "a": 1 }');
  const mine = [`${SETTINGS}.bak-moth-mine`, `${SETTINGS}.bak`, ".claude/my-settings.json.bak-moth-20261130T101112123Z"];
  for (const name of mine) writeFileSync(home.at(name), '{ "a": 1 }');
  await hook();
  await unhook();
  for (const name of mine) expect(home.read(name)).toBe('{ "a": 1 }');
});
