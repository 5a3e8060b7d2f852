import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";
import { base } from "../../tsup.base.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** `node:os`, loaded when it is asked: loading it costs a third of a millisecond, and hardly a hook needs it. */
const osWhenAsked: Plugin = {
  name: "os-when-asked",
  setup(build) {
    build.onResolve({ filter: /^node:os$/ }, ({ namespace }) =>
      namespace === "os" ? undefined : { path: "os", namespace: "os" },
    );
    build.onLoad({ filter: /.*/, namespace: "os" }, () => ({
      contents: 'export const homedir = () => require("node:os").homedir();',
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
        plugins: [osWhenAsked],
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
  esbuildPlugins: [osWhenAsked, programBeside],
});
