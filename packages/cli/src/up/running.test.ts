import { expect, test } from "vitest";
import { readSettings } from "../settings.ts";
import { elsewhere } from "./running.ts";

test("where moth goes instead is said in the way that holds", () => {
  const env = { HOME: "/nonexistent" };
  expect(elsewhere(readSettings(env))).toBe("For example: moth config port 4748");
  expect(elsewhere(readSettings(env, { port: 65535 }))).toBe("For example: --port 65534");
  expect(elsewhere(readSettings({ ...env, MOTH_URL: "http://[::1]:8080" }))).toBe(
    "MOTH_URL says where: set it to http://[::1]:8081, or unset it",
  );
});
