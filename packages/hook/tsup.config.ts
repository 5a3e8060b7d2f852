import { createHash } from "node:crypto";
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

/** The program as a text, for the file that runs it. */
const programAsText: Plugin = {
  name: "program-as-text",
  setup(build) {
    build.onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace("?text", "")),
      namespace: "text",
    }));
    build.onLoad({ filter: /.*/, namespace: "text" }, async ({ path }) => {
      const { target, conditions, mainFields } = build.initialOptions;
      const made = await build.esbuild.build({
        target,
        conditions,
        mainFields,
        entryPoints: [path],
        bundle: true,
        platform: "node",
        format: "cjs",
        minify: true,
        write: false,
        plugins: [osWhenAsked],
        // `import()` is for files, and `require` is its own.
        supported: { "dynamic-import": false },
      });
      // Every file of the program asks anew for the modules of Node's that it uses, and Node takes its time each time.
      const once = "var had={},require=(name)=>had[name]??=load(name);";
      const text = `(function(load,keep){${once}${made.outputFiles[0]?.text}})`;
      const id = createHash("sha256").update(text).digest("hex").slice(0, 12);
      return { contents: JSON.stringify({ text, id }), loader: "json" };
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
  esbuildPlugins: [osWhenAsked, programAsText],
});
