import fc from "fast-check";
import { expect, test } from "vitest";
import { distinctLabels } from "./labels.ts";

const free = (): boolean => false;
const of = (...sessions: string[]): { source: string; session: string }[] =>
  sessions.map((session) => ({ source: "pi", session }));

test("a name of its own stays as it is", () => {
  expect(distinctLabels("moth", of("aaaa1111"), free)).toEqual(["moth"]);
});

test("two of one name get the end of their ids", () => {
  expect(distinctLabels("moth", of("0000-3f2a", "0000-77b1"), free)).toEqual(["moth (3f2a)", "moth (77b1)"]);
});

test("where the ends are alike, all get longer ones", () => {
  expect(distinctLabels("moth", of("aa3f2a", "bb3f2a", "cc0000"), free)).toEqual([
    "moth (aa3f2a)",
    "moth (bb3f2a)",
    "moth (cc0000)",
  ]);
});

test("ids shorter than the end are used whole", () => {
  expect(distinctLabels("moth", of("1", "2"), free)).toEqual(["moth (1)", "moth (2)"]);
});

test("one id in two harnesses, or none at all: the harness tells them apart", () => {
  const two = [
    { source: "pi", session: "" },
    { source: "codex", session: "" },
  ];
  expect(distinctLabels("moth", two, free)).toEqual(["moth (pi)", "moth (codex)"]);
  expect(
    distinctLabels(
      "moth",
      two.map((each) => ({ ...each, session: "same" })),
      free,
    ),
  ).toEqual(["moth (pi)", "moth (codex)"]);
});

test("a name that another folder really has is not taken", () => {
  expect(distinctLabels("moth", of("xx3f2a", "xx77b1"), (name) => name === "moth (3f2a)")).toEqual([
    "moth (xx3f2a)",
    "moth (xx77b1)",
  ]);
});

test("a long name gives way to the end of the id", () => {
  const [name] = distinctLabels("a".repeat(40), of("0000-3f2a", "0000-77b1"), free);
  expect(name).toBe(`${"a".repeat(32)}… (3f2a)`);
  expect(name).toHaveLength(40);
});

test("whatever the sessions are, no two share a name", () => {
  const sessions = fc.uniqueArray(
    fc.record({ source: fc.constantFrom("a", "b"), session: fc.string({ unit: fc.constantFrom("0", "1", "f"), maxLength: 8 }) }),
    {
      selector: ({ source, session }) => `${source}\n${session}`,
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(sessions, (group) => {
      expect(new Set(distinctLabels("moth", group, free)).size).toBe(group.length);
    }),
  );
});
