import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openApi } from "../../openapi/document.ts";
import { sent } from "../../openapi/bodies.ts";
import { ROUTES } from "../../src/routes.ts";

const { schemas } = (openApi() as { components: { schemas: Record<string, { properties: Record<string, Shape> }> } }).components;
interface Shape {
  type: string | string[];
  enum?: unknown[];
  properties?: Record<string, Shape>;
}

const ajv = new Ajv2020({ strict: false });
const posts = Object.entries(ROUTES).flatMap(([path, { body }]) =>
  body ? [{ path, body, name: sent.get(body.schema)!.id }] : [],
);

const NUMBERS = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 2 ** 53 - 1, 2 ** 53),
);
/** Nothing that is taken out of a text: a schema cannot tell what is left then. */
const TEXTS = fc.string({ unit: fc.constantFrom("a", "Z", "7", " ", "\n", "é", "家", "🦋", "-"), maxLength: 6 });
const OF_TYPE: Record<string, fc.Arbitrary<unknown>> = {
  string: TEXTS,
  number: NUMBERS,
  integer: fc.oneof(fc.integer(), NUMBERS),
  boolean: fc.boolean(),
  null: fc.constant(null),
  array: fc.array(TEXTS, { maxLength: 3 }),
  object: fc.constant({}),
};

/** Values that mostly fit, and sometimes not. */
function valueOf({ type, enum: words, properties }: Shape): fc.Arbitrary<unknown> {
  const ofType = [type].flat().map((one) => OF_TYPE[one]!);
  const fitting = words ? fc.constantFrom(...words) : properties ? objectOf(properties) : fc.oneof(...ofType);
  return fc.oneof({ arbitrary: fitting, weight: 30 }, { arbitrary: fc.oneof(...Object.values(OF_TYPE)), weight: 1 });
}

function objectOf(properties: Record<string, Shape>): fc.Arbitrary<object> {
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, valueOf(shape)])), {
    requiredKeys: [],
  });
}

test.each(posts)("$path takes just the bodies that the document says it takes", ({ body, name }) => {
  const shape = schemas[name]!;
  const fits = ajv.compile(JSON.parse(JSON.stringify(shape)) as object);
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(objectOf(shape.properties ?? {}), (given) => {
      const whole = JSON.parse(JSON.stringify(given)) as unknown;
      const read = body.read(whole);
      counts[read.ok ? "taken" : "refused"]++;
      expect({ fits: fits(whole), read }).toEqual({ fits: read.ok, read });
    }),
    { numRuns: 1000 },
  );
  expect(counts.taken).toBeGreaterThan(0);
  if (name !== "Nothing") expect(counts.refused).toBeGreaterThan(0);
});
