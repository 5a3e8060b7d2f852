import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import type { InstalledBy } from "./installed-by.ts";
import { wayOf } from "./ways.ts";

const HOME = { PATH: process.env["PATH"] ?? "", HOME: "/home/me" };

test.each<[InstalledBy, string]>([
  [{ way: "npx" }, "npx moth-companion@1.2.3"],
  [{ way: "yarn" }, "yarn global add moth-companion@1.2.3"],
  [{ way: "unknown" }, "npm install --global moth-companion@1.2.3"],
  [{ way: "project", root: "/home/me/app", manager: "npm" }, "npm install moth-companion@1.2.3 there"],
  [{ way: "project", root: "/home/me/app", manager: "bun" }, "bun add moth-companion@1.2.3 there"],
])("%j is the person's to update, and they are told how", async (installed, told) => {
  expect(await wayOf(installed, "1.2.3", HOME)).toMatchObject({ told });
});

test("a checkout is pulled forward only, set up and built, in its own folder", async () => {
  expect(await wayOf({ way: "checkout", root: "/home/me/moth" }, "origin/main is 1 commit ahead", HOME)).toEqual({
    cwd: "/home/me/moth",
    steps: [
      ["git", "pull", "--ff-only"],
      ["npm", "run", "setup"],
      ["npm", "run", "build"],
    ],
  });
});

test("npm is told the prefix when it is set to another one than this moth lies in", async () => {
  const folder = tempFolder();
  const env = { ...HOME, HOME: folder, npm_config_prefix: join(folder, "mine") };
  const steps = async (prefix: string): Promise<unknown> => await wayOf({ way: "npm", prefix }, "1.2.3", env);
  expect(await steps(join(folder, "mine"))).toEqual({
    cwd: folder,
    steps: [["npm", "install", "--global", "moth-companion@1.2.3"]],
  });
  expect(await steps(join(folder, "other"))).toEqual({
    cwd: folder,
    steps: [["npm", "install", "--global", "--prefix", join(folder, "other"), "moth-companion@1.2.3"]],
  });
});
