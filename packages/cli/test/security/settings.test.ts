/** Settings that somebody else could write: what they say is looked at, one by one, and what is not right counts as not said. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createWorld } from "../support/world.ts";

// Each starts several programs.
vi.setConfig({ testTimeout: 60_000 });

test("poisoned settings run nothing, name nothing a terminal obeys, and moth runs with its own", async () => {
  const world = await createWorld();
  const canary = join(world.home, "canary");
  const evil = `\u001b]0;pwned\u0007$(touch ${canary})`;
  const poisoned: Record<string, unknown> = {
    PROTO: { answers: true },
    react_every: "1e999",
    quiet_after: -1,
    batch_window: [evil],
    notify: "on; touch",
    "notify.by": evil,
    "notify.command": `touch ${canary}; "unclosed`,
    "notify.quiet": evil,
    voice: evil,
    "voice.url": `file:///etc/passwd`,
    "voice.key_env": "PATH=x",
    host: `127.0.0.1; touch ${canary}`,
    port: "4747\r\nX-Evil: 1",
    answers: evil,
    show_in_harness: { toString: evil },
    [evil]: evil,
  };
  mkdirSync(join(world.home, ".moth"));
  writeFileSync(join(world.home, ".moth", "config.json"), JSON.stringify(poisoned).replace("PROTO", "__proto__"));
  await world.up();
  for (const args of [["config"], ["config", "--json"], ["doctor"], ["notify"], ["notify", "test"], ["status"], ["ps"]]) {
    const { out, err } = await world.moth(args);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|a bug in moth/);
  }
  expect((await world.moth(["doctor"])).out).toMatch(/^fail {2}.*react_every/m);
  expect((await world.moth(["config", "answers"])).out).not.toMatch(/\bon\b/);
  expect(existsSync(canary)).toBe(false);
});
