import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createWorld, isAlive, type World } from "./support/world.ts";

const UNSET = { MOTH_URL: "" };

/** A moth that runs where the settings no longer look. */
async function moved(): Promise<{ world: World; pid: number; next: World }> {
  const [world, next] = [await createWorld(), await createWorld()];
  const pid = await world.up();
  mkdirSync(join(world.home, ".moth"), { recursive: true });
  writeFileSync(join(world.home, ".moth/config.json"), JSON.stringify({ port: next.port }));
  return { world, pid, next };
}

test("a moth whose port was changed while it runs is seen by status and doctor, and stop ends it and says where it was", async () => {
  const { world, pid, next } = await moved();
  const status = await world.moth(["status"], UNSET);
  expect(status.code).toBe(3);
  expect(status.out).toContain(`Another of yours runs at ${world.url} (process ${pid})`);
  expect(JSON.parse((await world.moth(["status", "--json"], UNSET)).out)).toEqual({
    running: false,
    url: next.url,
    elsewhere: [{ url: world.url, pid }],
  });
  expect((await world.moth([], UNSET)).out).toContain(`Another of yours runs at ${world.url}`);
  expect((await world.moth(["doctor"], UNSET)).out.replaceAll(/\s+/g, " ")).toContain(
    `another moth of yours runs at ${world.url} (process ${pid}), but adapters and commands look for moth at ${next.url}`,
  );
  expect(await world.moth(["stop"], UNSET)).toEqual({
    code: 0,
    out: `moth (process ${pid}) is asleep. It ran at ${world.url}; moth is looked for at ${next.url}.\n`,
    err: "",
  });
  expect(isAlive(pid)).toBe(false);
  expect((await world.moth(["stop"], UNSET)).out).toBe(`moth was not running at ${next.url}.\n`);
});

test("up tells of the one that still runs elsewhere; stop ends the one where the settings look, and one by its port", async () => {
  const { world, pid, next } = await moved();
  const up = await world.moth(["up", "-d"], UNSET);
  const second = Number(/process (\d+)/.exec(up.out)?.[1]);
  onTestFinished(() => void (isAlive(second) && process.kill(second, "SIGKILL")));
  expect(up.err).toContain(`Another of yours runs at ${world.url} (process ${pid})`);
  expect((await world.moth(["status"], UNSET)).out).toContain(`To stop it: moth stop --port ${world.port}`);
  const stopped = await world.moth(["stop"], UNSET);
  expect(stopped.out).toBe(
    `moth (process ${second}) is asleep.\nAnother of yours still runs at ${world.url}. To stop it: moth stop --port ${world.port}\n`,
  );
  expect([isAlive(pid), isAlive(second)]).toEqual([true, false]);
  expect((await world.moth(["stop", "--port", String(next.port)], UNSET)).out).toContain(`not running at ${next.url}`);
  expect(isAlive(pid)).toBe(true);
  expect((await world.moth(["stop", "--port", String(world.port)], UNSET)).out).toBe(`moth (process ${pid}) is asleep.\n`);
  expect(isAlive(pid)).toBe(false);
});

test("where MOTH_URL says whom to stop, no other is", async () => {
  const { world, pid, next } = await moved();
  const ran = await world.moth(["stop"], { MOTH_URL: next.url });
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(`Another of yours still runs at ${world.url}`) as string });
  expect(isAlive(pid)).toBe(true);
});

test("a second moth beside the one that agents report to is called the second, and nothing says to end the first", async () => {
  const [world, next] = [await createWorld(), await createWorld()];
  const pid = await world.up();
  mkdirSync(join(world.home, ".moth"), { recursive: true });
  writeFileSync(join(world.home, ".moth/config.json"), JSON.stringify({ port: world.port }));
  // By the settings, and by the variable that one window has.
  for (const env of [UNSET, { MOTH_URL: next.url }]) {
    const up = await world.moth(["up", "-d", "--port", String(next.port)], env);
    const second = Number(/process (\d+)/.exec(up.out)?.[1]);
    onTestFinished(() => void (isAlive(second) && process.kill(second, "SIGKILL")));
    expect(up.err).toBe(
      `moth: Your moth runs at ${world.url} (process ${pid}): there agents report. One beside it hears nothing of them.\n`,
    );
    // The next steps are for this one: a bare stop would end the first.
    expect(up.out.split("\n").at(-2)).toBe(
      env === UNSET ? `Next: MOTH_URL=${next.url} moth tail, or moth stop --port ${next.port}` : "Next: moth tail, or moth stop",
    );
    const told = [await world.moth(["status"], env), await world.moth(["doctor"], env)];
    expect(told.map(({ out }) => out.replaceAll(/\s+/g, " ")).join()).not.toContain(`--port ${world.port}`);
    const stopped = await world.moth(["stop", "--port", String(next.port)], env);
    expect(stopped.out).toBe(`moth (process ${second}) is asleep.\nYour moth runs on at ${world.url}, where agents report.\n`);
  }
  expect(isAlive(pid)).toBe(true);
});

test("a moth at another port in the foreground says how it is reached, on its page too", async () => {
  const [world, next] = [await createWorld(), await createWorld()];
  const ran = world.start(["up", "--port", String(next.port)]);
  await expect.poll(() => ran.out(), { timeout: 15_000 }).toContain(`listens at ${next.url}`);
  const page = await (await fetch(next.url, { headers: { Accept: "text/html" } })).text();
  expect(page).toContain(`<meta name="moth-command" content="MOTH_URL=${next.url} moth"`);
});
