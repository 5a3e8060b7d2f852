import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../test/support/io.ts";
import { commandName } from "./self.ts";

const NPX = { npm_command: "exec" };
const CHECKOUT = "/home/me/moth/packages/cli/bin/moth.mjs";

test("what did not call this program by a path of its own is moth", () => {
  expect(commandName({}, { folder: "/anywhere", bin: CHECKOUT, by: "/usr/lib/a-test.mjs" })).toBe("moth");
});

test("a link in no folder of PATH is said by its path, in its project npx moth, and in PATH moth", () => {
  const project = tempFolder();
  const bin = join(project, "node_modules/moth-companion/bin/moth.mjs");
  const link = join(project, "node_modules/.bin/moth");
  mkdirSync(dirname(bin), { recursive: true });
  mkdirSync(dirname(link), { recursive: true });
  writeFileSync(bin, "");
  symlinkSync(bin, link);
  const named = (by: string, PATH: string, folder = "/"): string => commandName({ PATH }, { folder, bin, by });
  expect(named(link, "/nowhere")).toBe(link);
  expect(named(link, "/nowhere", project)).toBe("npx moth");
  expect(named(link, dirname(link))).toBe("moth");
  const odd = join(project, "my moth");
  symlinkSync(bin, odd);
  expect(named(odd, "/nowhere")).toBe(`"${odd}"`);
});

test("one that was called by its path says the path again, in its checkout npx moth", () => {
  expect(commandName({ PATH: "" }, { folder: "/anywhere", bin: CHECKOUT, by: CHECKOUT })).toBe(`node ${CHECKOUT}`);
  expect(commandName({ PATH: "" }, { folder: "/home/me/moth/docs", bin: CHECKOUT, by: CHECKOUT })).toBe("npx moth");
});

test("where the path was typed for it by what lies in PATH as moth, it is moth; another moth there is not it", () => {
  const [folder, other] = [tempFolder(), tempFolder()];
  const bin = join(folder, "node_modules/moth-companion/bin/moth.mjs");
  mkdirSync(dirname(bin), { recursive: true });
  writeFileSync(bin, "");
  const called = { folder: "/", bin, by: bin };
  const named = (PATH: string): string => commandName({ PATH: `/nowhere:${PATH}` }, called);
  expect(named(other)).toBe(`node ${bin}`);
  writeFileSync(join(other, "moth"), "#!/bin/sh\nexec something else\n");
  expect(named(`${other}:`)).toBe(`node ${bin}`);
  const [linked, shim] = [tempFolder(), tempFolder()];
  symlinkSync(bin, join(linked, "moth"));
  expect(named(linked)).toBe("moth");
  // As pnpm writes it.
  writeFileSync(join(shim, "moth"), 'exec node  "$basedir/global/5/node_modules/moth-companion/bin/moth.mjs" "$@"\n');
  chmodSync(join(shim, "moth"), 0o755);
  expect(named(shim)).toBe("moth");
  // The first is the one that a shell takes.
  expect(named(`${other}:${shim}`)).toBe(`node ${bin}`);
});

test.each([
  ["the checkout", "/home/me/moth", CHECKOUT],
  ["a folder in the checkout", "/home/me/moth/docs/..x", CHECKOUT],
  ["the project it is installed in", "/home/me/app/src", "/home/me/app/node_modules/moth-companion/bin/moth.mjs"],
  ["such a project, linked in a store", "/home/me/app", "/home/me/app/node_modules/.pnpm/m@1/node_modules/m/bin/moth.mjs"],
])("npx moth holds in %s", (_, folder, bin) => {
  expect(commandName(NPX, { folder, bin })).toBe("npx moth");
  expect(commandName({ npm_lifecycle_event: "start" }, { folder, bin })).toBe("npx moth");
});

test.each([
  ["beside the checkout", "/home/me/moth2", CHECKOUT],
  ["above it", "/home/me", CHECKOUT],
  ["elsewhere, with npx's own copy", "/home/me", "/home/me/.npm/_npx/1f/node_modules/moth-companion/bin/moth.mjs"],
])("%s the whole path is said: npx would fetch another package", (_, folder, bin) => {
  expect(commandName(NPX, { folder, bin })).toBe(`node ${bin}`);
});

test("a path that a shell would take apart is quoted", () => {
  expect(commandName(NPX, { folder: "/", bin: "/my things/packages/cli/bin/moth.mjs" })).toBe(
    'node "/my things/packages/cli/bin/moth.mjs"',
  );
});

test("npm run moves, and the person's folder is the one npm was called in", () => {
  const env = { npm_lifecycle_event: "start", INIT_CWD: "/" };
  expect(commandName(env)).toMatch(/^node "?\/.*moth\.mjs"?$/);
  expect(commandName({ ...env, INIT_CWD: process.cwd() })).toBe("npx moth");
});
