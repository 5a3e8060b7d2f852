import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../src/processes.ts";
import { openTerminal } from "../src/terminal.ts";
import type { World } from "../src/world.ts";
import { managers } from "./programs.ts";

/** A person at home in a world, with a package that they have. */
interface Person {
  world: World;
  /** The harness. */
  program: string;
  /** The package, unpacked: as it lies on the disk of who downloaded it. */
  folder: string;
}

/** How a harness's own installer brings moth's package in. */
export interface Door {
  harness: string;
  package: string;
  /** The command or setting, in words. */
  by: string;
  install(person: Person): Promise<void>;
}

export const doors: readonly Door[] = [
  {
    harness: "claude-code",
    package: "@moth-companion/claude-code",
    by: "`claude plugin install`",
    install: (person) => must(person, "plugin", "install", "moth", "--marketplace", person.folder),
  },
  {
    harness: "opencode",
    package: "@moth-companion/opencode",
    by: "the `plugin` setting",
    install: ({ world }) => Promise.resolve(namePlugin(join(world.home, ".config", "opencode", "opencode.json"))),
  },
  {
    harness: "kilo",
    package: "@moth-companion/opencode",
    by: "the `plugin` setting",
    install: ({ world }) => Promise.resolve(namePlugin(join(world.home, ".config", "kilo", "kilo.json"))),
  },
  {
    harness: "pi",
    package: "@moth-companion/pi",
    by: "`pi install`",
    install: (person) => must(person, "install", "npm:@moth-companion/pi"),
  },
  {
    harness: "omp",
    package: "@moth-companion/pi",
    by: "`omp install`",
    install: (person) => must(person, "install", "@moth-companion/pi"),
  },
  {
    harness: "gemini",
    package: "@moth-companion/gemini",
    by: "`gemini extensions install`",
    install: async ({ world, program, folder }) => {
      const words = ["extensions", "install", folder, "--consent"];
      const terminal = openTerminal(program, words, { cwd: world.project, env: world.env });
      try {
        await terminal.waitForText("Do you want to trust this folder");
        terminal.type("y\r");
        await terminal.waitForText("installed successfully");
      } finally {
        await terminal.close();
      }
    },
  },
  {
    harness: "dsh",
    package: "@moth-companion/dsh",
    by: "`dsh plugin add`",
    install: (person) => must(person, "plugin", "--profile", "headless", "add", "@moth-companion/dsh"),
  },
  {
    harness: "hermes",
    package: "@moth-companion/hermes",
    by: "a copied folder and `hermes plugins enable`",
    install: async (person) => {
      const plugins = join(person.world.home, ".hermes", "plugins");
      mkdirSync(plugins, { recursive: true });
      cpSync(join(person.folder, "plugin"), join(plugins, "moth"), { recursive: true });
      await must(person, "plugins", "enable", "moth");
    },
  },
];

/** A setting that names the package: the harness fetches it at its next start. */
function namePlugin(file: string): void {
  writeFileSync(file, JSON.stringify({ plugin: ["@moth-companion/opencode"] }));
}

/** Runs the harness's installer. Some call a package manager by its name. */
async function must({ world, program }: Person, ...args: string[]): Promise<void> {
  const folders = [...new Set(Object.values(managers).map(([manager]) => dirname(manager)))].filter((folder) => folder !== ".");
  const env = { ...world.env, PATH: [...folders, world.env["PATH"]].join(delimiter) };
  const { code, stdout, stderr } = await run(program, args, { cwd: world.project, env });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
}
