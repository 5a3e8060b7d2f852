import { harnesses } from "@moth-companion/harnesses";
import { defineConfig, type Options } from "tsup";
import { base } from "../../tsup.base.ts";
import { QUICK } from "./src/quick-commands.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** What `dist/quick.cjs` is spared. */
const spared: Plugin = {
  name: "spared",
  setup(build) {
    // Never called there: `bin` starts `main.js` for them.
    build.onResolve({ filter: /^\.\/[a-z]+\.ts$/ }, ({ path, importer, kind }) =>
      kind === "dynamic-import" && /[\\/]commands[\\/]index\.ts$/.test(importer) && !QUICK.some((name) => path === `./${name}.ts`)
        ? { path: "./main.js", external: true }
        : undefined,
    );
    // Of the harnesses, only what they are called.
    const called = harnesses.map(({ id, short }) => ({ id, short }));
    build.onResolve({ filter: /^@moth-companion\/harnesses$/ }, ({ path }) => ({ path, namespace: "called" }));
    build.onLoad({ filter: /.*/, namespace: "called" }, () => ({
      contents: `export const harnesses = ${JSON.stringify(called)}; export const findHarness = (id) => harnesses.find((one) => one.id === id);`,
    }));
    // Functions that make tables of Unicode's ready, for texts that hardly ever come: when they are called.
    build.onResolve({ filter: /^(?:string-width|wrap-ansi)$/ }, ({ path, namespace, resolveDir }) =>
      namespace === "when-called" ? undefined : { path, namespace: "when-called", pluginData: resolveDir },
    );
    build.onLoad({ filter: /.*/, namespace: "when-called" }, ({ path, pluginData }) => ({
      contents: `module.exports = (...given) => require("${path}").default(...given);`,
      resolveDir: String(pluginData),
    }));
  },
};

/** One CommonJS file: Node starts it sooner than an ES module and its chunks. */
const oneFile: Options = {
  ...base,
  target: "node20",
  format: ["cjs"],
  splitting: false,
  clean: false,
  minify: true,
};

export default defineConfig([
  { ...base, target: "node20", entry: ["src/main.ts"], clean: ["!line.cjs", "!quick.cjs", "!THIRD_PARTY_LICENSES"] },
  { ...oneFile, entry: ["src/line.ts"], noExternal: [/.*/] },
  {
    ...oneFile,
    entry: ["src/quick.ts"],
    noExternal: [/^(?!@clack\/|@moth-companion\/server)/],
    // By rollup, which would make all of it ready at once.
    treeshake: false,
    removeNodeProtocol: false,
    esbuildPlugins: [...(base.esbuildPlugins ?? []), spared],
    define: { "import.meta.url": "ownUrl" },
    banner: { js: 'const ownUrl = require("node:url").pathToFileURL(__filename).href;' },
  },
]);
