import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { openApi } from "../../openapi/document.ts";
import { OPERATIONS } from "../../openapi/operations.ts";
import { CODES, WHY } from "../../openapi/refusals.ts";
import { REFUSALS } from "../../src/answer.ts";
import { ROUTES } from "../../src/routes.ts";

const document = openApi();
const protocol = "\n" + readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8");

/** The cells of a table of the protocol's page, row by row. */
function table(heading: string): string[][] {
  const [, rows = ""] = protocol.split(`\n${heading}\n`)[1]?.split(/^\|(?:---\|)+\n/m) ?? [];
  const lines = rows.split("\n").slice(
    0,
    rows.split("\n").findIndex((line) => !line.startsWith("|")),
  );
  return lines.map((line) =>
    line
      .slice(2, -2)
      .split(/ \| /)
      .map((cell) => cell.replaceAll("\\|", "|")),
  );
}

test("it is OpenAPI 3.1 as a linter of others sees it, and its examples are of its own shapes", async () => {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "no-invalid-media-type-examples": { severity: "error", allowAdditionalProperties: true },
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  const told = problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
  // What a stream's lines hold can be said in words of our own alone, which it does not read.
  expect(told.filter((problem) => !problem.includes('"StreamEpoch" is never used'))).toEqual([]);
});

test("what is described is routed", () => {
  expect(Object.keys(OPERATIONS).toSorted()).toEqual(Object.keys(ROUTES).toSorted());
});

test("every refusal is told where it can come, but for those of a request that is none of these", () => {
  const told = JSON.stringify((document["components"] as { responses: object }).responses) + JSON.stringify(document["paths"]);
  expect(CODES.filter((code) => !told.includes(`\`${code}\``))).toEqual(["NOT_FOUND", "METHOD"]);
});

test("the protocol's page lists the same routes, with what they read and whom they answer", () => {
  const needs = { nothing: "nothing", token: "token", page: "token or page", link: "a link" };
  const routes = Object.entries(ROUTES).map(([path, { method, query, needs: need }]) => {
    const asked = query.length > 0 ? `?${query.join("&")}` : "";
    return `\`${method} ${path}${asked}\` ${needs[need]}`;
  });
  expect(
    table("# The protocol")
      .map(([route, need]) => `${route} ${need}`)
      .toSorted(),
  ).toEqual(routes.toSorted());
});

test("the protocol's page lists the same refusals, in the same words", () => {
  const refusals = Object.entries(REFUSALS).map(([code, status]) => [
    String(status),
    `\`${code}\``,
    WHY[code as keyof typeof REFUSALS],
  ]);
  expect(table("## Refusals")).toEqual(refusals);
});
