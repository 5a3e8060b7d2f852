import fc from "fast-check";
import { expect, test } from "vitest";
import { createFifo } from "./fifo.ts";

test("it is a list, whatever is pushed and shifted", () => {
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.integer() }, { weight: 2, arbitrary: fc.constant("shift" as const) }),
    { maxLength: 500 },
  );
  fc.assert(
    fc.property(steps, fc.nat(20), (all, position) => {
      const fifo = createFifo<number>();
      const list: number[] = [];
      for (const step of all) {
        if (step === "shift") expect(fifo.shift()).toBe(list.shift());
        else {
          fifo.push(step);
          list.push(step);
        }
        expect(fifo.size).toBe(list.length);
      }
      expect(fifo.from(position)).toEqual(list.slice(position));
      fifo.clear();
      expect([fifo.size, fifo.from(0), fifo.shift()]).toEqual([0, [], undefined]);
    }),
  );
});
