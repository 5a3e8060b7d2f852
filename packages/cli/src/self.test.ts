import { expect, test } from "vitest";
import { commandName } from "./self.ts";

const NPX = { npm_command: "exec" };
const CHECKOUT = "/home/me/moth/packages/cli/bin/moth.mjs";

test("a command that was not called through npm is moth", () => {
  expect(commandName({}, "/anywhere", CHECKOUT)).toBe("moth");
});

test.each([
  ["the checkout", "/home/me/moth", CHECKOUT],
  ["a folder in the checkout", "/home/me/moth/docs/..x", CHECKOUT],
  ["the project it is installed in", "/home/me/app/src", "/home/me/app/node_modules/moth-companion/bin/moth.mjs"],
  ["such a project, linked in a store", "/home/me/app", "/home/me/app/node_modules/.pnpm/m@1/node_modules/m/bin/moth.mjs"],
])("npx moth holds in %s", (_, folder, bin) => {
  expect(commandName(NPX, folder, bin)).toBe("npx moth");
  expect(commandName({ npm_lifecycle_event: "start" }, folder, bin)).toBe("npx moth");
});

test.each([
  ["beside the checkout", "/home/me/moth2", CHECKOUT],
  ["above it", "/home/me", CHECKOUT],
  ["elsewhere, with npx's own copy", "/home/me", "/home/me/.npm/_npx/1f/node_modules/moth-companion/bin/moth.mjs"],
])("%s the whole path is said: npx would fetch another package", (_, folder, bin) => {
  expect(commandName(NPX, folder, bin)).toBe(`node ${bin}`);
});

test("a path that a shell would take apart is quoted", () => {
  expect(commandName(NPX, "/", "/my things/packages/cli/bin/moth.mjs")).toBe('node "/my things/packages/cli/bin/moth.mjs"');
});

test("npm run moves, and the person's folder is the one npm was called in", () => {
  const env = { npm_lifecycle_event: "start", INIT_CWD: "/" };
  expect(commandName(env)).toMatch(/^node "?\/.*moth\.mjs"?$/);
  expect(commandName({ ...env, INIT_CWD: process.cwd() })).toBe("npx moth");
});
