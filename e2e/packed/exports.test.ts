import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MARK, worldPrefix } from "../src/leftovers.ts";
import { inherited, run } from "../src/processes.ts";
import { compilers, runtimes } from "./programs.ts";
import { shipped } from "./shipped.ts";
import { type Manifest, unpack } from "./tarballs.ts";

/** Only the harness itself has what these stand on. */
const INSIDE = new Set([
  "@moth-companion/copilot/extension.mjs",
  "@moth-companion/opencode/moth-window.js",
  "@moth-companion/opencode/tui",
]);
/** These begin to work as soon as they are loaded: they are programs. */
const PROGRAMS = new Set(["@moth-companion/hook/moth-hook.cjs", "@moth-companion/hook/moth-hook-program.js"]);

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = realpathSync.native(mkdtempSync(join(tmpdir(), worldPrefix(process.env[MARK] ?? "by hand"))));
const specifiers = shipped()
  .own.flatMap(({ manifest }) => exportsOf(manifest))
  .filter((name) => !INSIDE.has(name) && !PROGRAMS.has(name) && !/\.(?:json|yaml)$/.test(name));

beforeAll(async () => {
  for (const tarball of [...shipped().own, ...shipped().foreign]) {
    const { name } = tarball.manifest;
    const at = join(folder, "node_modules", name);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(await unpack(tarball, join(folder, "unpacked", name)), at, "junction");
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(runtimes))("%s", (_name, program) => {
  it("imports everything that the packages export", async () => {
    expect(specifiers.length).toBeGreaterThan(20);
    const imports = specifiers.map((name) => `if (Object.keys(await import("${name}")).length === 0) empty.push("${name}");`);
    writeFileSync(join(folder, "imports.mjs"), `const empty = [];\n${imports.join("\n")}\nconsole.log(JSON.stringify(empty));\n`);
    const done = await run(program, ["imports.mjs"], { cwd: folder, env: inherited() });
    expect(done).toMatchObject({ code: 0, stdout: "[]\n", stderr: "" });
  });
});

const ways = Object.entries(compilers).flatMap(([name, { tsc, resolutions }]) =>
  resolutions.map((resolution) => [name, resolution, tsc] as const),
);

describe.each(ways)("%s with %s", (name, resolution, tsc) => {
  it("finds the types of everything that has some, without a look into the packages' sources", async () => {
    const typed = specifiers.filter((name) => /^@moth-companion\/(?:core|harnesses|server)/.test(name));
    expect(typed.length).toBeGreaterThan(20);
    const lines = typed.map((name, at) => `import * as m${at} from "${name}";\nexport type T${at} = keyof typeof m${at};`);
    // Without types everything would be `any`, and this no error.
    const uses = `import { sendTurn } from "@moth-companion/core/report";\n// @ts-expect-error -- it is a function\nexport const n: number = sendTurn;`;
    const cwd = join(folder, `${name} ${resolution}`);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "uses.mts"), [...lines, uses, ""].join("\n"));
    const module = resolution === "bundler" ? "esnext" : resolution;
    const compilerOptions = {
      module,
      moduleResolution: resolution,
      strict: true,
      noEmit: true,
      target: "es2022",
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules", "@types")],
    };
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["uses.mts"] }));
    const done = await run(process.execPath, [tsc, "-p", cwd], { cwd, env: inherited() });
    expect(done).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});

/** What a package may be asked for, as one writes it. */
function exportsOf({ name, exports = {} }: Manifest): string[] {
  return Object.keys(exports).map((path) => join(name, path).replaceAll("\\", "/"));
}
