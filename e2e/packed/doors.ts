import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../src/world.ts";

/** How a harness's own installer brings moth's package in. */
export interface Door {
  harness: string;
  package: string;
  /** The command or setting, in words. */
  by: string;
  /** @param folder the package, unpacked */
  install(world: World, folder: string): Promise<void>;
}

export const doors: readonly Door[] = [
  {
    harness: "claude-code",
    package: "@moth-companion/claude-code",
    by: "`claude plugin install`",
    install: (world, folder) => must(world, "plugin", "install", "moth", "--marketplace", folder),
  },
  {
    harness: "opencode",
    package: "@moth-companion/opencode",
    by: "`plugin` setting",
    install: (world) => {
      const file = join(world.home, ".config", "opencode", "opencode.json");
      writeFileSync(file, JSON.stringify({ plugin: ["@moth-companion/opencode"] }));
      return Promise.resolve();
    },
  },
  {
    harness: "pi",
    package: "@moth-companion/pi",
    by: "`pi install`",
    install: (world) => must(world, "install", "npm:@moth-companion/pi"),
  },
];

async function must(world: World, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await world.command(...args);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
}
