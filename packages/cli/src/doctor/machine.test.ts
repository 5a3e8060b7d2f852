import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import { checkDiary, checkHome, checkOverrides, checkToken } from "./machine.ts";

test("a folder that can be made is well", () => {
  const home = join(tempFolder(), "deep/.moth");
  expect(checkHome({ MOTH_HOME: home })).toEqual({
    check: "folder",
    status: "ok",
    message: `${home} is not there yet; moth up makes it`,
  });
  expect(checkToken({ MOTH_HOME: home }).message).toContain("is not there yet; moth up makes it");
});

test("a file where the folder should be is called a file, and no mode is spoken of", () => {
  const home = join(tempFolder(), ".moth");
  writeFileSync(home, "x", { mode: 0o644 });
  expect(checkHome({ MOTH_HOME: home })).toEqual({
    check: "folder",
    status: "fail",
    message: `${home} is a file, not a folder`,
    advice: `Move ${home} away, or set MOTH_HOME to a folder of yours`,
  });
  expect(checkToken({ MOTH_HOME: home })).toEqual({
    check: "token",
    status: "ok",
    message: `${join(home, "token")} is not there yet`,
  });
  expect(checkHome({ MOTH_HOME: join(home, "inner") })).toMatchObject({
    status: "fail",
    message: `${join(home, "inner")} cannot be made: ${home} is a file, not a folder`,
  });
});

test("moth's home is spoken of once it is there, and must be a folder for the person alone", () => {
  const env = { MOTH_HOME: tempFolder() };
  const home = join(env.MOTH_HOME, "home");
  expect(checkDiary(env)).toEqual([]);
  mkdirSync(home, { mode: 0o700 });
  expect(checkDiary(env)).toMatchObject([
    { status: "warn", message: `${home} was not made by moth, so its model keeps no diary there` },
  ]);
  writeFileSync(join(home, ".made-by-moth"), "");
  expect(checkDiary(env)).toMatchObject([{ check: "home", status: "ok" }]);
  if (process.platform === "win32") return;
  chmodSync(home, 0o755);
  expect(checkDiary(env)).toMatchObject([
    { status: "fail", message: `${home} is open to other users (mode 755)`, advice: `chmod 700 ${home}` },
  ]);
  const other = { MOTH_HOME: tempFolder() };
  symlinkSync(home, join(other.MOTH_HOME, "home"));
  expect(checkDiary(other)).toMatchObject([{ status: "fail", advice: `Move ${join(other.MOTH_HOME, "home")} away` }]);
});

test("a link that leads nowhere is named", () => {
  const home = join(tempFolder(), ".moth");
  symlinkSync("/nowhere/at/all", home);
  expect(checkHome({ MOTH_HOME: home })).toMatchObject({ status: "fail", message: `${home} is a link that leads nowhere` });
});

test.skipIf(process.getuid?.() === 0)("a place that may not be written to fails with what to do", () => {
  const parent = tempFolder();
  const home = join(parent, ".moth");
  chmodSync(parent, 0o500);
  try {
    expect(checkHome({ MOTH_HOME: home })).toEqual({
      check: "folder",
      status: "fail",
      message: `${home} cannot be made: ${parent} may not be written to`,
      advice: `Run chmod u+rwx ${parent}, or set MOTH_HOME to a folder of yours`,
    });
  } finally {
    chmodSync(parent, 0o700);
  }
  mkdirSync(home, { mode: 0o500 });
  expect(checkHome({ MOTH_HOME: home })).toMatchObject({ status: "fail", message: `${home} may not be written to` });
});

test("a folder of one's own is no trouble for command hooks, which carry it, but for plugins", () => {
  const env = { MOTH_HOME: "/x" };
  expect(checkOverrides(env, [])).toEqual({ check: "overrides", status: "ok", message: "in force: MOTH_HOME=/x" });
  expect(checkOverrides(env, ["Lark", "Wren"])).toMatchObject({
    status: "warn",
    advice: "Lark, Wren: the plugin finds this moth's folder only where MOTH_HOME is set as well",
  });
  expect(checkOverrides({ MOTH_URL: "http://127.0.0.1:1" }, ["Lark"])).toMatchObject({
    status: "warn",
    advice: "Harnesses report to this moth only where MOTH_URL is set as well",
  });
});
