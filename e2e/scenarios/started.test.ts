import { existsSync } from "node:fs";
import { join } from "node:path";
import { findHarness } from "@moth-companion/harnesses";
import { expect, it } from "vitest";
import { card, onlySession } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";

scenario(
  "started",
  (harness, open) => {
    it("moth start begins with the prompt as it stands, in this terminal, and ends as the harness does", async () => {
      const world = await open();
      const trap = join(world.project, "trapped");
      const prompt = `-p "$(touch '${trap}')" \`touch '${trap}'\`; & > * [[reply: It has begun.]]\n--help`;
      const tui = world.start(`--prompt=${prompt}`);
      await card(world, "It has begun.");
      await tui.waitForText(harness.shown("It has begun."));
      expect(world.model.requests.map((request) => request.prompt).join("\n")).toContain(prompt);
      expect(existsSync(trap)).toBe(false);
      onlySession(world);
      await tui.submit(harness.commands.quit);
      await tui.ended();
    });
  },
  ({ id }) => {
    const launch = findHarness(id)?.launch;
    if (!launch) return "moth does not start it";
    return "noPrompt" in launch ? launch.noPrompt : undefined;
  },
);
