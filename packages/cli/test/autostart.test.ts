import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorld, type World } from "./support/world.ts";

const unitOf = (world: World): string => join(world.home, ".config", "systemd", "user", "moth.service");

/** Where no systemd runs, whatever machine this is. */
async function container(): Promise<World> {
  const world = await createWorld();
  const run = join(world.home, "runtime");
  mkdirSync(run);
  world.env["XDG_RUNTIME_DIR"] = run;
  return world;
}

test.runIf(process.platform === "linux")("moth autostart on, status and off, where no systemd runs", async () => {
  const world = await container();
  const before = readdirSync(world.home);
  expect((await world.moth(["autostart"], world.env)).out).toContain("not started at login");
  const on = await world.moth(["autostart", "on"], world.env);
  expect(on).toMatchObject({ code: 0, err: "" });
  expect(on.out).toContain(unitOf(world));
  expect(on.out).toContain("systemd does not run for you here");
  expect(JSON.parse((await world.moth(["autostart", "status", "--json"], world.env)).out)).toEqual({
    status: "on",
    by: "systemd",
    file: unitOf(world),
    works: false,
  });
  const checks = JSON.parse((await world.moth(["doctor", "--json"], world.env)).out) as { check: string; message: string }[];
  expect(checks.find(({ check }) => check === "autostart")?.message).toContain("started at each login by systemd");
  expect((await world.moth(["autostart", "off"], world.env)).out).toContain(`deleted ${unitOf(world)}`);
  expect(readdirSync(world.home)).toEqual(before);
});

test.runIf(process.platform === "linux")("moth forget --all takes it away, and says so", async () => {
  const world = await container();
  await world.moth(["autostart", "on"], world.env);
  expect((await world.moth(["forget", "--yes"], world.env)).out).not.toContain("moth.service");
  expect(existsSync(unitOf(world))).toBe(true);
  expect((await world.moth(["forget", "--all", "--yes"], world.env)).out).toContain(`deleted ${unitOf(world)}`);
  expect(existsSync(join(world.home, ".config"))).toBe(false);
});

test("nothing but moth autostart on has moth started at login", async () => {
  const world = await container();
  await world.moth(["setup", "--yes"], world.env);
  await world.moth(["stop"], world.env);
  expect(JSON.parse((await world.moth(["autostart", "--json"], world.env)).out)).toMatchObject({ status: "off" });
});

test("an unknown word is refused with what there is", async () => {
  const world = await container();
  expect(await world.moth(["autostart", "onn"], world.env)).toMatchObject({ code: 2, err: expect.stringContaining("mean on") });
});
