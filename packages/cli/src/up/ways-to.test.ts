import { expect, test } from "vitest";
import { readSettings } from "../settings.ts";
import { nextStep } from "../next-step.ts";
import { nextWays, waysTo } from "./ways-to.ts";

const env = { HOME: "/nonexistent" };
const next = (flags: Parameters<typeof readSettings>[1], more = {}, platform: NodeJS.Platform = "linux"): string =>
  nextWays(waysTo(readSettings({ ...env, ...more }, flags), { ...env, ...more }, platform));

test("the next steps for a moth where moth is looked for are bare; for one elsewhere they name it", () => {
  expect(next({})).toBe("Next: moth tail, or moth stop");
  expect(next({ port: 4747, host: "localhost" })).toBe("Next: moth tail, or moth stop");
  expect(next({ host: "0.0.0.0" })).toBe("Next: moth tail, or moth stop");
  expect(next({}, { MOTH_URL: "http://localhost:4748" })).toBe("Next: moth tail, or moth stop");
  expect(next({ port: 4748 })).toBe("Next: MOTH_URL=http://127.0.0.1:4748 moth tail, or moth stop --port 4748");
  expect(next({ host: "::1" })).toBe("Next: MOTH_URL=http://[::1]:4747 moth tail, or moth stop --port 4747");
  expect(next({ port: 4748 }, {}, "win32")).toBe("To stop it: moth stop --port 4748");
});

test("what is hooked in is hooked in by the bare command; what asks moth asks the one that runs", () => {
  const wren = { id: "wren", name: "Wren", found: true, configDir: "/", where: [], notifiers: [], movedBy: [] };
  const { self } = waysTo(readSettings(env, { port: 4748 }), env, "linux");
  expect(nextStep([{ ...wren, status: "installed" }], "moth", self)).toBe("Next: MOTH_URL=http://127.0.0.1:4748 moth tail");
  expect(nextStep([{ ...wren, status: "not-installed" }], "moth", self)).toBe("Next, hook moth into it: moth hook wren");
});
