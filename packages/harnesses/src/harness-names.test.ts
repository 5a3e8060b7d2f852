import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { harnesses } from "./registry.ts";

const root = join(import.meta.dirname, "..", "..", "..");

// Plugin packages are written for one harness each; everything else that ships must carry any harness.
const NEUTRAL = [
  "packages/core/src",
  "packages/server/src",
  "packages/cli/src",
  "packages/cli/bin",
  "packages/hook/src",
  "bench",
  "scripts",
];

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!["node_modules", "dist", ".turbo"].includes(entry.name)) yield* sources(path);
    } else if (/\.(ts|tsx|mjs|js)$/.test(entry.name) && !entry.name.endsWith(".test.ts")) {
      yield path;
    }
  }
}

/** A terminal has one, too: such a name is looked for as a value only. */
const WORDS = new Set(["cursor"]);

/** Ids and names as whole words: `pi` is a harness, `epic` is not. */
function named(text: string): string[] {
  const names = harnesses.flatMap((harness) => [harness.id, harness.name]);
  return names.filter((name) => {
    const word = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const quoted = WORDS.has(name.toLowerCase());
    return new RegExp(quoted ? `["'\`]${word}["'\`]` : `(?<![\\w-])${word}(?![\\w-])`, "i").test(text);
  });
}

test("no file outside the harness folders, the plugins, docs and e2e names a harness", () => {
  const found = NEUTRAL.flatMap((folder) =>
    [...sources(join(root, folder))].flatMap((file) => {
      const names = named(readFileSync(file, "utf8"));
      return names.length > 0 ? [`${relative(root, file).split(sep).join("/")} names ${names.join(", ")}`] : [];
    }),
  );
  expect(found).toEqual([]);
});

test("the search would see one", () => {
  const [first] = harnesses;
  expect(first).toBeDefined();
  expect(named(`if (source === "${first?.id}") return;`)).toEqual([first?.id]);
  expect(named('if (source === "cursor") moveTheCursor();')).toEqual(["cursor", "Cursor"]);
});
