import { expect, test, vi } from "vitest";
import { createWorld } from "./support/world.ts";

const about = { source: "x", session: "3f2a91bc-1", label: "moth-repo" };
const wait = { id: "w1", kind: "permission", tool: "Bash", text: "npm publish", answerable: true };

async function waiting({ answers = false, asks = wait }: { answers?: boolean; asks?: object } = {}): Promise<
  Awaited<ReturnType<typeof createWorld>>
> {
  const world = await createWorld();
  if (answers) expect((await world.moth(["config", "answers", "on"])).code).toBe(0);
  await world.up();
  await world.post("/api/state", { ...about, state: "waiting", wait: asks });
  await vi.waitFor(async () => expect((await world.moth(["ps", "--json"])).out).toContain('"waiting"'), { timeout: 10_000 });
  return world;
}

test("answer shows what is asked and how to say yes to just that", async () => {
  const world = await waiting({ answers: true });
  const { code, out } = await world.moth(["answer", "moth-repo"]);
  expect([code, out]).toEqual([
    0,
    "x · moth-repo asks for a permission (Bash)\n\n  npm publish\n\nYou can say: allow, deny\nFor example: moth answer moth-repo allow --wait w1\n",
  ]);
  expect(await world.moth(["answer", "moth-repo", "always", "--yes"])).toMatchObject({
    code: 2,
    err: 'moth: "always" is no answer to that\n      It takes: allow, deny\n',
  });
  // Without a terminal nobody can be shown first what it is.
  expect(await world.moth(["answer", "moth-repo", "allow"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("--wait w1") as string,
  });
});

test("the example holds for a name that begins with a dash", async () => {
  const world = await waiting({ answers: true });
  await world.post("/api/state", { source: "x", session: "dash", label: "--help", state: "waiting", wait });
  const shown = await vi.waitFor(async () => {
    const { out } = await world.moth(["answer", "--", "--help"]);
    expect(out).toContain("For example: ");
    return out;
  }, 10_000);
  expect(shown).toContain("For example: moth answer --wait w1 -- '--help' allow\n");
  const ran = await world.moth(["answer", "--wait", "w1", "--", "--help", "always"]);
  expect(ran.err).toContain('"always" is no answer to that');
});

test("while answers are off nothing of what is asked is seen, and no answer goes out", async () => {
  const world = await waiting();
  expect((await world.moth(["answer", "moth-repo"])).out).toMatch(
    /^x · moth-repo asks for a permission \(Bash\)\nAnswering through moth is off. Turn it on with: .*moth(\.mjs)? config answers on\n$/,
  );
  expect(await world.moth(["answer", "moth-repo", "allow", "--yes"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("Answering through moth is off. Turn it on with: moth config answers on") as string,
  });
});

test("where it is content that keeps answers off, that is what is said", async () => {
  const world = await waiting();
  await world.moth(["config", "content", "off"]);
  expect((await world.moth(["config", "answers", "on"])).out).toMatch(
    /while content is off\. Turn it on with: .*config content on\n$/,
  );
  const off = expect.stringMatching(
    / is off while content is\. Turn it on with: (?:.*)moth(?:\.mjs)? config content on\n/,
  ) as string;
  expect((await world.moth(["answer", "moth-repo"])).out).toEqual(off);
  expect(await world.moth(["answer", "moth-repo", "allow", "--yes"])).toMatchObject({ code: 1, err: off });
  expect(await world.moth(["say", "moth-repo", "hello"])).toMatchObject({ code: 1, err: off });
  expect(await world.moth(["last", "moth-repo"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("content is off") as string,
  });
});

test.each([
  ["whom it is about", ["answer"], /^moth: answer whom\?/],
  ["a session there is", ["answer", "other", "allow"], /^moth: there is no session "other"/],
])("answer needs %s", async (_what, words, error) => {
  const world = await waiting();
  const { code, err } = await world.moth(words);
  expect(code).toBe(2);
  expect(err).toMatch(error);
});

test.each([
  [
    "its adapter tells",
    { id: "w1", kind: "question", answerable: false, why: "It asks\nseveral things at once." },
    "It asks several things at once.",
  ],
  ["it would not show whole", { ...wait, text: "npm publish \u001b[8mevil" }, "It holds characters that do not show."],
])("answer says why something cannot be answered: %s", async (_what, asks, why) => {
  const world = await waiting({ answers: true, asks });
  const told = `It cannot be answered through moth. ${why} Answer it in its own window.\n`;
  expect((await world.moth(["answer", "moth-repo"])).out).toContain(told);
  expect((await world.moth(["answer", "moth-repo", "--text", "x", "--wait", "w1"])).err).toContain(why);
});
