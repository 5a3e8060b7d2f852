import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { hand, insist } from "../src/hands.ts";
import { run } from "../src/processes.ts";
import { openTerminal, type Terminal } from "../src/terminal.ts";
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

/** How a harness's own installer brings moth's package in, and takes it out again. */
export interface Door {
  harness: string;
  /** Its own process runs moth's plugin; those of the others are command hooks. */
  loadsPlugins?: true;
  package: string;
  /** The command or setting, in words. */
  by: string;
  install(person: Person): Promise<void>;
  undo(person: Person): Promise<void>;
  /** What the harness itself keeps of what is gone, and takes for nothing: whole files by their paths in the home, or some of their text. */
  keeps?: readonly { path: RegExp; text?: RegExp }[];
}

export const doors: readonly Door[] = [
  {
    harness: "claude-code",
    package: "@moth-companion/claude-code",
    by: "`claude plugin install`",
    install: (person) => must(person, "plugin", "install", "moth", "--marketplace", person.folder),
    async undo(person) {
      await must(person, "plugin", "uninstall", "moth@moth");
      await must(person, "plugin", "marketplace", "remove", "moth");
    },
    // Its records of sessions tell of hooks, its copy is marked to be deleted, and it remembers which plugins it once had.
    keeps: [{ path: /^\.claude\/(?:projects|plugins\/cache)\// }, { path: /^\.claude\.json$/, text: /"moth@moth"/g }],
  },
  {
    harness: "codex",
    package: "@moth-companion/codex",
    by: "`codex plugin marketplace add`, `codex plugin add` and the person's trust",
    async install(person) {
      await must(person, "plugin", "marketplace", "add", person.folder);
      await must(person, "plugin", "add", "moth@moth");
      await inTerminal(person, ["--no-daemon"], async (terminal) => {
        await terminal.waitForText("Hooks need review");
        await insist(
          () => terminal.type("2"),
          (within) => terminal.waitForText("› 2. Trust all", within),
        );
        await hand("\r", "Hooks need review")(terminal);
      });
    },
    async undo(person) {
      await must(person, "plugin", "remove", "moth@moth");
      await must(person, "plugin", "marketplace", "remove", "moth");
    },
    // Which words of which plugin were trusted.
    keeps: [{ path: /^\.codex\/config\.toml$/, text: /^\[hooks\.state\."moth@moth:.+"\]$/gm }],
  },
  {
    harness: "copilot",
    package: "@moth-companion/copilot",
    by: "`copilot plugin marketplace add` and `copilot plugin install`",
    async install(person) {
      await must(person, "plugin", "marketplace", "add", person.folder);
      await must(person, "plugin", "install", "moth@moth");
    },
    async undo(person) {
      await must(person, "plugin", "uninstall", "moth@moth");
      await must(person, "plugin", "marketplace", "remove", "moth");
    },
    keeps: [{ path: /^\.copilot\/settings\.json$/, text: /"moth@moth": false/g }],
  },
  {
    harness: "opencode",
    loadsPlugins: true,
    package: "@moth-companion/opencode",
    by: "the `plugin` setting",
    ...pluginSetting(".config", "opencode", "opencode.json"),
  },
  {
    harness: "kilo",
    loadsPlugins: true,
    package: "@moth-companion/opencode",
    by: "the `plugin` setting",
    ...pluginSetting(".config", "kilo", "kilo.json"),
  },
  {
    harness: "pi",
    loadsPlugins: true,
    package: "@moth-companion/pi",
    by: "`pi install`",
    install: (person) => must(person, "install", "npm:@moth-companion/pi"),
    undo: (person) => must(person, "remove", "npm:@moth-companion/pi"),
  },
  {
    harness: "omp",
    loadsPlugins: true,
    package: "@moth-companion/pi",
    by: "`omp install`",
    install: (person) => must(person, "install", "@moth-companion/pi"),
    undo: (person) => must(person, "plugin", "uninstall", "@moth-companion/pi"),
  },
  {
    harness: "gemini",
    package: "@moth-companion/gemini",
    by: "`gemini extensions install`",
    install: (person) =>
      inTerminal(person, ["extensions", "install", person.folder, "--consent"], async (terminal) => {
        await terminal.waitForText("Do you want to trust this folder");
        terminal.type("y\r");
        await terminal.waitForText("installed successfully");
      }),
    undo: (person) => must(person, "extensions", "uninstall", "moth"),
    // By whose hash it would know an extension again that was changed behind its back.
    keeps: [{ path: /^\.gemini\/extension_integrity\.json$/ }],
  },
  {
    harness: "qwen",
    package: "@moth-companion/qwen",
    by: "`qwen extensions install`",
    install: (person) => must(person, "extensions", "install", "@moth-companion/qwen", "--consent"),
    undo: (person) => must(person, "extensions", "uninstall", "moth"),
    // How it was before the last change.
    keeps: [{ path: /^\.qwen\/extension-store\/state\.previous\.json$/ }],
  },
  {
    harness: "dsh",
    loadsPlugins: true,
    package: "@moth-companion/dsh",
    by: "`dsh plugin add`",
    install: (person) => must(person, "plugin", "--profile", "headless", "add", "@moth-companion/dsh"),
    undo: (person) => must(person, "plugin", "--profile", "headless", "remove", "@moth-companion/dsh"),
  },
  {
    harness: "hermes",
    loadsPlugins: true,
    package: "@moth-companion/hermes",
    by: "a copied folder and `hermes plugins enable`",
    install: async (person) => {
      const plugins = join(person.world.home, ".hermes", "plugins");
      mkdirSync(plugins, { recursive: true });
      cpSync(join(person.folder, "plugin"), join(plugins, "moth"), { recursive: true });
      await must(person, "plugins", "enable", "moth");
    },
    async undo(person) {
      await must(person, "plugins", "disable", "moth");
      await must(person, "plugins", "remove", "moth");
    },
    // That it is off, and what it may not do.
    keeps: [{ path: /^\.hermes\/config\.yaml$/, text: /^ *disabled:\n +- moth$|^ +moth:$/gm }],
  },
];

/** A setting that names the package: the harness fetches it at its next start. */
function pluginSetting(...path: readonly string[]): Pick<Door, "install" | "undo"> {
  const write = ({ world }: Person, settings: object): Promise<void> =>
    Promise.resolve(writeFileSync(join(world.home, ...path), JSON.stringify(settings)));
  return {
    install: (person) => write(person, { plugin: ["@moth-companion/opencode"] }),
    undo: (person) => write(person, {}),
  };
}

/** What is done with the harness in a terminal, where it asks the person. */
async function inTerminal(
  { world, program }: Person,
  args: readonly string[],
  work: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const terminal = openTerminal(program, args, { cwd: world.project, env: world.env });
  try {
    await work(terminal);
  } finally {
    await terminal.close();
  }
}

/** Runs the harness's installer. Some call a package manager by its name. */
async function must({ world, program }: Person, ...args: string[]): Promise<void> {
  const folders = [...new Set(Object.values(managers).map(([manager]) => dirname(manager)))].filter((folder) => folder !== ".");
  const env = { ...world.env, PATH: [...folders, world.env["PATH"]].join(delimiter) };
  const { code, stdout, stderr } = await run(program, args, { cwd: world.project, env });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
}
