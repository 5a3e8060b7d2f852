import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import { checkFiles, closeToOthers, countLoose } from "./permissions.ts";

const onWindows = process.platform === "win32";

/** A folder as moth leaves it after a day's work. */
function lived(): { env: { MOTH_HOME: string }; at: (name: string) => string } {
  const home = join(tempFolder(), ".moth");
  const at = (name: string): string => join(home, name);
  for (const name of ["", "run", "bin", "lib", "run/waits"]) mkdirSync(at(name), { mode: 0o700 });
  for (const name of [
    "token",
    "config.json",
    "hooks.json",
    "run/4747.json",
    "run/4747.log",
    "run/heard.json",
    "run/waits/pi.s.w",
  ])
    writeFileSync(at(name), "{}", { mode: 0o600 });
  writeFileSync(at("bin/moth-hook"), "");
  chmodSync(at("bin/moth-hook"), 0o755);
  if (!onWindows) execFileSync("mkfifo", ["-m", "600", at("run/4747.in")]);
  return { env: { MOTH_HOME: home }, at };
}

test("a folder as moth leaves it is well, and one that is not there too", () => {
  const well = { check: "files", status: "ok", message: "nobody else can read or change what is in moth's folder" };
  const { env, at } = lived();
  expect(checkFiles(env)).toEqual([well]);
  expect(countLoose(env)).toBe(0);
  expect(checkFiles({ MOTH_HOME: join(tempFolder(), "none") })).toEqual([well]);
  expect(checkFiles({ MOTH_HOME: join(at("token"), "below a file") })).toEqual([well]);
});

test.skipIf(onWindows)(
  "what others may read is a warning, what they may change a failure; both are mended, whatever it is",
  () => {
    const { env, at } = lived();
    const modes: [string, number, "warn" | "fail", number][] = [
      ["config.json", 0o644, "warn", 0o600],
      ["hooks.json", 0o666, "fail", 0o600],
      ["run", 0o755, "warn", 0o700],
      ["run/4747.log", 0o640, "warn", 0o600],
      ["run/4747.in", 0o622, "fail", 0o600],
      ["run/waits", 0o777, "fail", 0o700],
      ["bin/moth-hook", 0o777, "fail", 0o755],
    ];
    for (const [name, mode] of modes) chmodSync(at(name), mode);
    for (const [name, mode, status, wanted] of modes) {
      const advice = `chmod ${wanted.toString(8)} ${at(name)}, or: moth doctor --fix`;
      const message = `${at(name)} is open to other users (mode ${mode.toString(8)})`;
      expect(checkFiles(env)).toContainEqual({ check: "files", status, message, advice });
    }
    for (const name of ["", "token"]) chmodSync(at(name), 0o777);
    expect(countLoose(env)).toBe(modes.length + 2);

    const mended = closeToOthers(env);
    expect(mended).toHaveLength(modes.length + 2);
    expect(mended.every(({ status }) => status === "ok")).toBe(true);
    // The folder before what is in it.
    expect(mended[0]?.message).toContain(`${env.MOTH_HOME} was open`);
    for (const [name, , , wanted] of modes) expect([name, statSync(at(name)).mode & 0o777]).toEqual([name, wanted]);
    expect([statSync(at("")).mode & 0o777, statSync(at("token")).mode & 0o777]).toEqual([0o700, 0o700]);
    expect(checkFiles(env)).toMatchObject([{ status: "ok" }]);
    expect(closeToOthers(env)).toEqual([]);
  },
);

test.skipIf(onWindows)("a link, a folder in a file's place and a file in a folder's are told, and left as they are", () => {
  const { env, at } = lived();
  const target = join(tempFolder(), "target");
  writeFileSync(target, "");
  chmodSync(target, 0o644);
  symlinkSync(target, at("run/5000.log"));
  mkdirSync(at("run/5000.json"), { mode: 0o700 });
  writeFileSync(at("run/notes"), "", { mode: 0o600 });
  expect(checkFiles(env)).toMatchObject([
    { status: "fail", message: `${at("run/5000.json")} is a folder, not a file` },
    { status: "fail", message: `${at("run/5000.log")} is a link, which moth does not write through` },
    { status: "fail", message: `${at("run/notes")} is no folder` },
  ]);
  expect(closeToOthers(env)).toEqual([]);
  expect(statSync(target).mode & 0o777).toBe(0o644);
});

test.skipIf(onWindows)("settings may be a link, as those who keep dotfiles make them", () => {
  const { env, at } = lived();
  execFileSync("rm", [at("config.json")]);
  symlinkSync(join(tempFolder(), "dotfiles.json"), at("config.json"));
  expect(checkFiles(env)).toMatchObject([{ status: "ok" }]);
});

test.skipIf(process.getuid?.() !== 0)("what belongs to another user is told, and not touched", () => {
  const { env, at } = lived();
  chownSync(at("run/4747.log"), 65_534, 65_534);
  chmodSync(at("run/4747.log"), 0o666);
  expect(checkFiles(env)).toMatchObject([{ status: "fail", message: `${at("run/4747.log")} belongs to another user` }]);
  expect(closeToOthers(env)).toEqual([]);
});

test.skipIf(onWindows)("a folder in the place of moth's pipe is named as that; an empty one is removed, another is left", () => {
  const { env, at } = lived();
  mkdirSync(at("run/5050.in"), { mode: 0o755 });
  mkdirSync(at("run/5051.in/kept"), { recursive: true });
  writeFileSync(at("run/5052.in"), "");
  for (const [name, kind] of [
    ["run/5050.in", "a folder"],
    ["run/5052.in", "a file"],
  ] as const) {
    const message = `${at(name)} is ${kind}, and should be moth's pipe, by which hooks report`;
    expect(checkFiles(env)).toContainEqual(expect.objectContaining({ status: "fail", message }));
  }
  const mended = closeToOthers(env).map(({ status, message }) => [status, message]);
  expect(mended).toContainEqual(["ok", `${at("run/5050.in")} was an empty folder in the place of moth's pipe; it is gone`]);
  expect(mended).toContainEqual([
    "fail",
    `${at("run/5051.in")} is a folder in the place of moth's pipe, and was left (it is not empty)`,
  ]);
  expect(existsSync(at("run/5050.in"))).toBe(false);
  expect(existsSync(at("run/5051.in/kept"))).toBe(true);
});
