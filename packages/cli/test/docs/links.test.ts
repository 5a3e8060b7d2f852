import { existsSync } from "node:fs";
import { posix } from "node:path";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documents, ROOT } from "./markdown.ts";

const all = documents();
const byName = new Map(all.map((document) => [document.name, document]));

test("every link within the repository leads to a file that is there, and every anchor to a heading", () => {
  expect(all.length).toBeGreaterThan(30);
  const dead = all.flatMap(({ name, links }) =>
    links.flatMap(({ line, target }) => {
      const why = whyDead(name, target);
      return why === undefined ? [] : [`${name}:${line} ${target}: ${why}`];
    }),
  );
  expect(dead).toEqual([]);
});

test("every document in docs can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const name of reached)
    for (const { target } of byName.get(name)?.links ?? []) {
      const to = fileOf(name, target);
      if (byName.has(to)) reached.add(to);
    }
  expect(all.map(({ name }) => name).filter((name) => name.startsWith("docs/") && !reached.has(name))).toEqual([]);
});

function whyDead(from: string, target: string): string | undefined {
  if (/^(?:https?|mailto):/.test(target)) return URL.canParse(target) ? undefined : "is no address";
  const file = fileOf(from, target);
  if (!existsSync(join(ROOT, file))) return "is not there";
  const anchor = target.split("#")[1];
  if (anchor === undefined) return undefined;
  const document = byName.get(file);
  return document?.anchors.has(anchor) ? undefined : "there is no such heading";
}

function fileOf(from: string, target: string): string {
  const path = decodeURI(target.split("#")[0] ?? "");
  return path === "" ? from : posix.normalize(posix.join(posix.dirname(from), path));
}
