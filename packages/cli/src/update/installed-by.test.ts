import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import { binFile } from "../self.ts";
import { installedBy } from "./installed-by.ts";

const PROGRAM = "node_modules/moth-companion/bin/moth.mjs";

function lie(...files: string[]): string {
  const home = tempFolder();
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), "");
  }
  return home;
}

test("this very program is a checkout's", () => {
  expect(installedBy(binFile())).toEqual({ way: "checkout", root: join(binFile(), "..", "..", "..", "..") });
});

test.each([
  ["pnpm", `.local/share/pnpm/global/v11/36fa4b05/${PROGRAM}`],
  ["pnpm", `.local/share/pnpm/global/5/.pnpm/moth-companion@1.0.0/${PROGRAM}`],
  ["bun", `.bun/install/global/${PROGRAM}`],
  ["npx", `.npm/_npx/caba4ec4d78f7b49/${PROGRAM}`],
  ["yarn", `.config/yarn/global/${PROGRAM}`],
  ["unknown", "opt/moth/bin/moth.mjs"],
  ["unknown", `opt/moth/${PROGRAM}`],
])("%s: %s", (way, file) => {
  // These keep a package.json of their own where their packages are.
  const home = lie(join(file, "..", "..", "..", "..", "package.json"));
  const bare = lie(file);
  expect(installedBy(join(way === "unknown" ? bare : home, file))).toEqual({ way });
});

test("pnpm's link into its store is told by the path it was called by", () => {
  const store = "/home/me/pnpm/store/v11/links/@/moth-companion/1.0.0/53ca5e/node_modules/moth-companion/bin/moth.mjs";
  expect(installedBy(store, `/home/me/pnpm/global/v11/36fa4b/${PROGRAM}`)).toEqual({ way: "pnpm" });
});

test("npm's global folder is told with the prefix that it belongs to", () => {
  const home = lie(`prefix/lib/${PROGRAM}`);
  const called = join(home, "prefix", "bin", "moth");
  expect(installedBy(join(home, "prefix", "lib", PROGRAM), called)).toEqual({ way: "npm", prefix: join(home, "prefix") });
  const windows = lie(`npm/${PROGRAM}`, "npm/moth.cmd");
  expect(installedBy(join(windows, "npm", PROGRAM))).toEqual({ way: "npm", prefix: join(windows, "npm") });
});

test.each([
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["bun.lock", "bun"],
  ["yarn.lock", "yarn"],
])("a project with a %s is %s's", (lockfile, manager) => {
  const root = lie("package.json", lockfile, PROGRAM);
  expect(installedBy(join(root, PROGRAM))).toEqual({ way: "project", root, manager });
});
