import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import { checkoutOffer, publishedOffer } from "./newest.ts";

const HERE = { PATH: process.env["PATH"] ?? "" };

/** A person whose npm is set to a registry that answers so. */
async function person(status: number, body: unknown): Promise<{ env: Record<string, string>; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { env: settle((server.address() as AddressInfo).port), asked };
}

function settle(port: number): Record<string, string> {
  const HOME = tempFolder();
  writeFileSync(join(HOME, ".npmrc"), `registry=http://127.0.0.1:${port}/\nupdate-notifier=false\n`);
  return { ...HERE, HOME, USERPROFILE: HOME };
}

function published(version: string): object {
  return {
    name: "moth-companion",
    "dist-tags": { latest: version },
    versions: { [version]: { name: "moth-companion", version, dist: { tarball: "http://127.0.0.1/x.tgz" } } },
  };
}

test("the registry that npm is set to is asked, once, and nobody else", async () => {
  const { env, asked } = await person(200, published("1.2.3"));
  expect(await publishedOffer("1.2.2", env)).toEqual({ newest: "1.2.3", newer: true });
  expect(asked).toEqual(["/moth-companion"]);
  expect(await publishedOffer("1.2.3", env)).toEqual({ newest: "1.2.3", newer: false });
  expect(await publishedOffer("2.0.0", env)).toEqual({ newest: "1.2.3", newer: false });
});

test.each([
  ["a registry that has no moth", 404, {}, /^the registry that npm is set to has no moth-companion$/],
  ["a registry that is ill", 500, {}, /^the registry that npm is set to could not be asked: .*500/],
  ["a registry that wants a password", 401, {}, /^the registry that npm is set to could not be asked: .*401/],
  ["a registry that says something else", 200, { hello: "there" }, /^the registry that npm is set to/],
  ["a version that is none", 200, published("1.2.3; rm -rf ~"), /^the registry that npm is set to/],
])("%s is told in one clear line", async (_what, status, body, message) => {
  const { env } = await person(status, body);
  const error: unknown = await publishedOffer("1.0.0", env).catch((failed: unknown) => failed);
  expect(error).toMatchObject({ name: "Failure", code: "FAILED", message: expect.stringMatching(message) as string });
});

test("nobody at the registry's address is told too", async () => {
  const { env } = await person(200, {});
  writeFileSync(join(env["HOME"] ?? "", ".npmrc"), "registry=http://127.0.0.1:1/\n");
  await expect(publishedOffer("1.0.0", env)).rejects.toThrow(/could not be asked: .*ECONNREFUSED/);
});

test("a checkout is told how far its branch is ahead, and is left as it is", async () => {
  const folder = tempFolder();
  const env = { ...HERE, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.invalid", ...args], {
      cwd,
      env,
      encoding: "utf8",
    }).trim();
  const [origin, clone] = [join(folder, "origin"), join(folder, "clone")];
  mkdirSync(origin);
  git(origin, "init", "--quiet", "--initial-branch=main");
  git(origin, "commit", "--quiet", "--allow-empty", "-m", "one");
  await expect(checkoutOffer(origin, env)).rejects.toThrow(/follows no branch/);
  // A copy without git's own, and one that lies in somebody's repository.
  for (const copy of [join(folder, "copy"), join(origin, "copy")]) {
    mkdirSync(copy);
    await expect(checkoutOffer(copy, env)).rejects.toThrow(/copy is no clone of git's, but a copy/);
  }
  git(folder, "clone", "--quiet", origin, clone);
  expect(await checkoutOffer(clone, env)).toEqual({ newest: "origin/main is 0 commits ahead", newer: false });
  git(origin, "commit", "--quiet", "--allow-empty", "-m", "two");
  const before = git(clone, "rev-parse", "HEAD");
  expect(await checkoutOffer(clone, env)).toEqual({ newest: "origin/main is 1 commit ahead", newer: true });
  expect(git(clone, "rev-parse", "HEAD")).toBe(before);
});
