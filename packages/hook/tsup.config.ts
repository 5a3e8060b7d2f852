import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { base } from "../../tsup.base.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** Modules of Node's that are loaded when they are asked, and what is asked of them: hardly a hook needs them, and `node:net` alone costs a sixth of a start. */
const SELDOM: Readonly<Record<string, readonly string[]>> = { "node:os": ["homedir"], "node:net": ["connect", "Socket"] };

const whenAsked: Plugin = {
  name: "when-asked",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
      namespace === "when-asked" || !Object.hasOwn(SELDOM, path) ? undefined : { path, namespace: "when-asked" },
    );
    build.onLoad({ filter: /.*/, namespace: "when-asked" }, ({ path }) => ({
      // Through a function: `return require(` would be taken for CommonJS by who checks the packages.
      contents: `const it = () => require("${path}"); module.exports = {${SELDOM[path]?.map((name) => `get ${name}() { return it().${name}; }`).join()}}`,
    }));
  },
};

/** The program beside what runs it, as the text of a function: Node would take its time over a file that it need not compile. */
const programBeside: Plugin = {
  name: "program-beside",
  setup(build) {
    const { target, conditions, mainFields, outdir } = build.initialOptions;
    build.onEnd(async () => {
      const made = await build.esbuild.build({
        target,
        conditions,
        mainFields,
        entryPoints: ["src/main.ts"],
        bundle: true,
        platform: "node",
        format: "cjs",
        minify: true,
        charset: "ascii",
        write: false,
        plugins: [...(base.esbuildPlugins ?? []), whenAsked],
        // `import()` is for files, and `require` is its own.
        supported: { "dynamic-import": false },
      });
      // Every file of the program asks anew for the modules of Node's that it uses, and Node takes its time each time.
      const once = "'use strict';var had={},require=(name)=>had[name]??=load(name);";
      const text = `(function(load,keep){${once}${made.outputFiles[0]?.text}})`;
      const id = createHash("sha256").update(text).digest("hex").slice(0, 12);
      await mkdir(outdir ?? "dist", { recursive: true });
      await writeFile(join(outdir ?? "dist", "moth-hook-program.js"), `//${id}\n${text}\n`);
    });
  },
};

export default defineConfig({
  ...base,
  format: ["cjs"],
  entry: { "moth-hook": "src/start.ts" },
  outExtension: () => ({ js: ".cjs" }),
  noExternal: [/.*/],
  splitting: false,
  // By rollup, which would put something else in the place of `require`.
  treeshake: false,
  removeNodeProtocol: false,
  minify: true,
  esbuildPlugins: [...(base.esbuildPlugins ?? []), whenAsked, programBeside],
});
