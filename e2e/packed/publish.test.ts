import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { MARK, worldPrefix } from "../src/leftovers.ts";
import { type Finished, inherited, run } from "../src/processes.ts";
import { PATIENCE } from "../src/wait.ts";
import { startRegistry } from "./registry.ts";
import { shipped } from "./shipped.ts";
import { isOwn } from "./tarballs.ts";

const PUBLISH = fileURLToPath(new URL("../../scripts/publish.ts", import.meta.url));

it("the release publishes each package once, what others stand on first, and shows its token to the registry alone", async () => {
  const registry = await startRegistry(shipped().foreign);
  onTestFinished(() => registry.close());
  const home = realpathSync.native(mkdtempSync(join(tmpdir(), worldPrefix(process.env[MARK] ?? "by hand"))));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, ".npmrc"), registry.npmrc);
  // What `npm run` hands down would beat the settings of this home.
  const others = Object.entries(inherited()).filter(([name]) => !/^npm_/i.test(name));
  const env = {
    ...(Object.fromEntries(others) as Record<string, string>),
    HOME: home,
    USERPROFILE: home,
    NPM_TOKEN: "the-token-of-the-release",
    GITHUB_SERVER_URL: "https://example.invalid",
    GITHUB_REPOSITORY: "somebody/moth",
  };
  const publish = (): Promise<Finished> => run(process.execPath, [PUBLISH], { cwd: home, env, within: PATIENCE * 4 });

  const first = await publish();
  expect(first).toMatchObject({ code: 0 });
  expect(first.stdout + first.stderr).not.toContain(env.NPM_TOKEN);
  const names = registry.received.map(({ manifest }) => manifest.name);
  expect(names.toSorted()).toEqual(
    shipped()
      .own.map(({ manifest }) => manifest.name)
      .toSorted(),
  );
  for (const { manifest, authorization } of registry.received) {
    expect(authorization).toBe(`Bearer ${env.NPM_TOKEN}`);
    expect(manifest).toMatchObject({ repository: { url: "git+https://example.invalid/somebody/moth.git" } });
    for (const name of Object.keys(manifest.dependencies ?? {}).filter(isOwn))
      expect(names.indexOf(name)).toBeLessThan(names.indexOf(manifest.name));
  }

  expect(await publish()).toMatchObject({ code: 0 });
  expect(registry.received).toHaveLength(names.length);
  const installed = await run("npm", ["install", "--prefix", join(home, "installed"), "moth-companion"], { cwd: home, env });
  expect(installed).toMatchObject({ code: 0 });
});
