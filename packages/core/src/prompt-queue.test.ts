import { expect, test } from "vitest";
import { createPromptQueue } from "./prompt-queue.ts";

function agent() {
  const begun: string[] = [];
  const state = { isBusy: false, fails: false };
  const queue = createPromptQueue({
    isBusy: () => state.isBusy,
    async send(text) {
      await Promise.resolve();
      if (state.fails) throw new Error("no model");
      begun.push(text);
      state.isBusy = true;
      return { taken: true };
    },
  });
  const ends = async (): Promise<void> => {
    state.isBusy = false;
    queue.look();
    await new Promise(setImmediate);
  };
  return { queue, begun, state, ends };
}

test("an idle agent has a message at once; those that come while it works have a turn each, in their order", async () => {
  const { queue, begun, ends } = agent();
  const told = await Promise.all(["one", "two", "three"].map((text) => queue.give(text)));
  expect(told.every(({ taken }) => taken)).toBe(true);
  expect(begun).toEqual(["one"]);
  queue.look();
  expect(begun).toEqual(["one"]);
  await ends();
  expect(begun).toEqual(["one", "two"]);
  await ends();
  await ends();
  expect(begun).toEqual(["one", "two", "three"]);
});

test("a message that comes when others wait does not overtake them", async () => {
  const { queue, begun, state, ends } = agent();
  state.isBusy = true;
  await queue.give("one");
  state.isBusy = false;
  await queue.give("two");
  await ends();
  expect(begun).toEqual(["one", "two"]);
});

test("a turn that is over before the harness has said that it began holds up nothing", async () => {
  const begun: string[] = [];
  const queue = createPromptQueue({
    isBusy: () => false,
    async send(text) {
      begun.push(text);
      queue.look();
      return await Promise.resolve({ taken: true });
    },
  });
  await Promise.all([queue.give("one"), queue.give("two")]);
  await new Promise(setImmediate);
  expect(begun).toEqual(["one", "two"]);
});

test("one that the harness does not begin with holds up nothing", async () => {
  const { queue, begun, state, ends } = agent();
  state.isBusy = true;
  await queue.give("one");
  await queue.give("two");
  state.fails = true;
  state.isBusy = false;
  queue.look();
  state.fails = false;
  await ends();
  await ends();
  expect(begun).toContain("two");
  state.isBusy = false;
  state.fails = true;
  await expect(queue.give("three")).rejects.toThrow("no model");
});

test("more than sixteen do not wait", async () => {
  const { queue, state } = agent();
  state.isBusy = true;
  const told = await Promise.all(Array.from({ length: 17 }, (_, at) => queue.give(String(at))));
  expect(told.filter(({ taken }) => taken)).toHaveLength(16);
  expect(told.at(-1)).toEqual({ taken: false, problem: "Too many messages wait for it already." });
});
