import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Options } from "tsup";
import { foreignFolders, LICENSES, licensesText } from "./scripts/licenses.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** Files that this process's builds took in: a package may have several builds, and has one list. */
const takenIn = new Set<string>();

/** Writes whose code was taken in beside it. What one of our own packages has taken in before counts too. */
const licenses: Plugin = {
  name: "licenses",
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs));
      for (const [file, { bytesInOutput }] of inputs) if (bytesInOutput > 0) takenIn.add(file);
      const foreign = foreignFolders([...takenIn]);
      const lists = [...takenIn].map((file) => join(dirname(file), LICENSES)).filter((file) => existsSync(file));
      const text = [
        ...lists.map((file) => readFileSync(file, "utf8").trim()),
        ...(foreign.length > 0 ? [licensesText(foreign)] : []),
      ];
      if (text.length === 0) return;
      mkdirSync("dist", { recursive: true });
      writeFileSync(join("dist", LICENSES), `${text.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
    });
  },
};

/** What every package's build has in common. tsup makes the JavaScript, tsc the declarations. */
export const base: Options = {
  format: ["esm"],
  platform: "node",
  target: "node18",
  outDir: "dist",
  clean: true,
  dts: false,
  splitting: true,
  treeshake: true,
  sourcemap: false,
  silent: true,
  esbuildPlugins: [licenses],
  esbuildOptions(options) {
    // jsonc-parser's CommonJS entry breaks when bundled; its ES module entry does not.
    options.mainFields = ["module", "main"];
    options.conditions = ["moth-src", "import", "module", "default"];
    options.legalComments = "eof";
  },
};
