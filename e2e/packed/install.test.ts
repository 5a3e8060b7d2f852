import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installCli } from "../src/clis.ts";
import { claudeCode } from "../src/drivers/claude-code.ts";
import { onlySession } from "../src/expectations.ts";
import { run } from "../src/processes.ts";
import { openTerminal } from "../src/terminal.ts";
import { openWorld } from "../src/world.ts";
import { managers } from "./programs.ts";
import { shipped, tarball } from "./shipped.ts";

describe.each(Object.entries(managers))("%s", (_name, [manager, ...verb]) => {
  it("installs moth into an empty folder, and it is hooked in, hears a turn and shows it", async () => {
    const cli = await installCli(claudeCode);
    if (!cli.ok) throw new Error(cli.reason);
    const world = await openWorld(claudeCode, { program: cli.program, moth: false, hooked: false, npmrc: shipped().npmrc });
    const cwd = join(world.home, "empty");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "package.json"), "{}");
    const { env } = world;
    const bin = join(cwd, "node_modules", ".bin", process.platform === "win32" ? "moth.cmd" : "moth");
    const moth = async (...words: string[]): Promise<string> => {
      const done = await run(bin, words, { cwd, env });
      expect(done, `moth ${words.join(" ")}`).toMatchObject({ code: 0, stderr: "" });
      return done.stdout;
    };

    const installed = await run(manager, [...verb, "moth-companion"], { cwd, env });
    expect(installed).toMatchObject({ code: 0 });
    expect(await moth("--version")).toBe(`${tarball("moth-companion").manifest.version}\n`);
    await moth("up", "-d");
    const tail = openTerminal(bin, ["tail", "--watch"], { cwd, env });
    try {
      await moth("hook", "claude-code", "--yes");
      await world.oneShot("[[reply: Heard by what was installed.]]");
      await tail.waitForText("said: Heard by what was installed.");
      expect(await moth("last", onlySession(world))).toBe("Heard by what was installed.\n");
      expect(await moth("hooks")).toMatch(/Claude Code +\S+ +hooked/);
    } finally {
      await tail.close();
      await moth("stop");
    }
  });
});
