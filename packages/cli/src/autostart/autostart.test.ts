import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "plist";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../test/support/io.ts";
import { autostartFiles, type Here, lookAtAutostart, turnOff, turnOn } from "./autostart.ts";
import { readMark } from "./entry.ts";

const ODD = `a b%n$HOME $$'q' "z" \\e --ü;&<i>`;

/** A machine whose moth lies in a folder with a name that every format must quote. */
function machine(platform: NodeJS.Platform, env: Record<string, string> = {}): Here & { home: string } {
  const home = tempFolder();
  const folder = join(home, ODD);
  mkdirSync(folder);
  const [node, bin] = [join(folder, "node"), join(folder, "moth.mjs")];
  writeFileSync(node, '#!/bin/sh\nprintf "%s|" "$0" "$@" "$MOTH_HOME"\n');
  chmodSync(node, 0o755);
  writeFileSync(bin, "");
  const own = { HOME: home, USERPROFILE: home, APPDATA: join(home, "Roaming"), PATH: process.env["PATH"] ?? "" };
  return { home, platform, node, bin, env: { ...own, MOTH_HOME: join(folder, "moth"), ...env } };
}

function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

const whatIsStarted = (here: Here): string => `${here.node}|${here.bin}|up|${here.env["MOTH_HOME"]}|`;

describe.each(["linux", "darwin", "win32"] as const)("on %s", (platform) => {
  test("on writes one entry, on again changes nothing, off leaves no trace", () => {
    const here = machine(platform);
    const before = tree(here.home);
    expect(lookAtAutostart(here).status).toBe("off");
    expect(turnOn(here)).toBe(true);
    const [after, file] = [tree(here.home), lookAtAutostart(here).way.file];
    expect(lookAtAutostart(here).status).toBe("on");
    const { ino, mtimeMs } = statSync(file);
    expect(turnOn(here)).toBe(false);
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
    expect(tree(here.home)).toEqual(after);
    expect(turnOff(here)).toContain(file);
    expect(tree(here.home)).toEqual(before);
    expect(turnOff(here)).toEqual([]);
  });

  test("folders that were there stay, with what is in them", () => {
    const here = machine(platform);
    const folder = dirname(lookAtAutostart(here).way.file);
    mkdirSync(folder, { recursive: true });
    const before = tree(here.home);
    turnOn(here);
    turnOff(here);
    expect(tree(here.home)).toEqual(before);
  });

  test("a moth that moved, a Node that is gone, another folder and a changed file are outdated; on mends them and off still takes all away", () => {
    const here = machine(platform);
    const before = tree(here.home);
    turnOn(here);
    const bin = `${here.bin}2`;
    expect(lookAtAutostart({ ...here, bin })).toMatchObject({ status: "outdated", problem: expect.stringContaining(here.bin) });
    const moved = { ...here, env: { ...here.env, MOTH_HOME: "/elsewhere" } };
    expect(lookAtAutostart(moved)).toMatchObject({ status: "outdated", problem: "MOTH_HOME is another now" });
    expect(lookAtAutostart({ ...here, env: { ...here.env, PATH: "/other" }, node: "/other/node" }).status).toBe("on");
    expect(turnOn({ ...here, bin })).toBe(true);
    expect(lookAtAutostart({ ...here, bin }).status).toBe("on");
    const { way } = lookAtAutostart(here);
    writeFileSync(way.file, Buffer.concat([readFileSync(way.file), way.encode("# more\n")]));
    expect(lookAtAutostart({ ...here, bin }).status).toBe("outdated");
    turnOn({ ...here, bin });
    expect(lookAtAutostart({ ...here, bin }).status).toBe("on");
    rmSync(here.node);
    expect(lookAtAutostart({ ...here, bin })).toMatchObject({ status: "outdated", problem: expect.stringContaining("Node") });
    turnOff(here);
    expect(tree(here.home)).toEqual(before.filter((name) => join(here.home, name) !== here.node));
  });

  test("a file of that name which moth did not write is never touched", () => {
    const here = machine(platform);
    const { way } = lookAtAutostart(here);
    mkdirSync(dirname(way.file), { recursive: true });
    writeFileSync(way.file, "mine");
    expect(lookAtAutostart(here).status).toBe("foreign");
    expect(() => turnOn(here)).toThrow("not written by moth");
    expect(() => turnOff(here)).toThrow("not written by moth");
    expect(autostartFiles(here)).toEqual([]);
    expect(readFileSync(way.file, "utf8")).toBe("mine");
    rmSync(way.file);
    // As systemctl mask leaves one.
    symlinkSync("/dev/null", way.file);
    expect(() => turnOn(here)).toThrow("not written by moth");
  });
});

test("a system moth does not know is refused, and has no files", () => {
  expect(() => turnOn(machine("sunos"))).toThrow("does not know how sunos");
  expect(autostartFiles(machine("sunos"))).toEqual([]);
});

test("systemd's folder is where XDG_CONFIG_HOME says, and only when it is absolute", () => {
  expect(lookAtAutostart(machine("linux", { XDG_CONFIG_HOME: "/cfg" })).way.file).toBe("/cfg/systemd/user/moth.service");
  const here = machine("linux", { XDG_CONFIG_HOME: "cfg" });
  expect(lookAtAutostart(here).way.file).toBe(join(here.home, ".config/systemd/user/moth.service"));
});

test("of PATH goes along what belongs to no project and to no folder one is in", () => {
  const here = machine("linux", { PATH: "/home/ada/app/node_modules/.bin:.:/usr/bin::bin:/bin" });
  turnOn(here);
  expect(readFileSync(lookAtAutostart(here).way.file, "utf8")).toContain('\nEnvironment="PATH=/usr/bin:/bin"\n');
});

test("a unit without its link is outdated, and on puts the link back", () => {
  const here = machine("linux");
  turnOn(here);
  const link = lookAtAutostart(here).way.link?.path ?? "";
  rmSync(link);
  expect(lookAtAutostart(here).status).toBe("outdated");
  turnOn(here);
  expect(existsSync(link)).toBe(true);
});

const hasSystemd = process.platform === "linux" && spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd finds nothing wrong with the unit, and takes it for one that is enabled", () => {
  const here = machine("linux");
  turnOn(here);
  const run = join(here.home, "run");
  mkdirSync(run, { mode: 0o700 });
  const env = { ...process.env, HOME: here.home, XDG_RUNTIME_DIR: run, XDG_CONFIG_HOME: join(here.home, ".config") };
  const { file } = lookAtAutostart(here).way;
  const checked = spawnSync("systemd-analyze", ["verify", "--user", file], { env, encoding: "utf8" });
  expect(checked.stderr).not.toContain("moth");
  expect(checked.status).toBe(0);
  expect(execFileSync("systemctl", ["--user", "is-enabled", "moth.service"], { env, encoding: "utf8" })).toBe("enabled\n");
});

test.skipIf(process.platform === "win32")(
  "the unit starts moth, by whatever path, and by another Node when its own is gone",
  () => {
    const here = machine("linux");
    turnOn(here);
    const text = readFileSync(lookAtAutostart(here).way.file, "utf8");
    const value = (name: string): string => new RegExp(`^${name}=(.*MOTH_HOME.*|/bin.*)$`, "m").exec(text)?.[1] ?? "";
    const [program = "", ...args] = words(value("ExecStart")).map((word) => word.replaceAll("$$", "$"));
    const [home = ""] = words(value("Environment"));
    const env = { PATH: "", MOTH_HOME: home.replace(/^MOTH_HOME=/, "") };
    expect(execFileSync(program, args, { env, encoding: "utf8" })).toBe(whatIsStarted(here));
    const other = join(here.home, "other");
    mkdirSync(other);
    writeFileSync(join(other, "node"), readFileSync(here.node));
    chmodSync(join(other, "node"), 0o755);
    rmSync(here.node);
    const by = execFileSync(program, args, { env: { ...env, PATH: other }, encoding: "utf8" });
    expect(by).toBe(whatIsStarted({ ...here, node: join(other, "node") }));
  },
);

test.skipIf(process.platform === "win32")("the agent of launchd is a property list that starts moth, by whatever path", () => {
  const here = machine("darwin");
  turnOn(here);
  const { file } = lookAtAutostart(here).way;
  const agent = parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  expect(agent).toMatchObject({ Label: "moth-companion", RunAtLoad: true, KeepAlive: { SuccessfulExit: false } });
  const [program = "", ...args] = agent["ProgramArguments"] as string[];
  const env = agent["EnvironmentVariables"] as Record<string, string>;
  expect(execFileSync(program, args, { env, encoding: "utf8" })).toBe(whatIsStarted(here));
  if (process.platform === "darwin") execFileSync("plutil", ["-lint", file]);
});

test("the script in the Startup folder is UTF-16, opens no window, and hands paths over by variables", () => {
  const here = machine("win32");
  turnOn(here);
  const { file } = lookAtAutostart(here).way;
  const bytes = readFileSync(file);
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe]);
  const lines = bytes.subarray(2).toString("utf16le").split("\r\n");
  const set = new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^env\("(\w+)"\) = "((?:[^"]|"")*)"$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.replaceAll('""', '"')] as const];
    }),
  );
  expect(set.get("MOTH_AUTOSTART_NODE")).toBe(here.node);
  expect(set.get("MOTH_AUTOSTART_BIN")).toBe(here.bin);
  expect(set.get("MOTH_HOME")).toBe(here.env["MOTH_HOME"]);
  expect(lines).toContain('shell.Run """%MOTH_AUTOSTART_NODE%"" ""%MOTH_AUTOSTART_BIN%"" up", 0, False');
});

test("what an entry says of itself is read back whole, and nothing else is taken for it", () => {
  const here = machine("linux");
  turnOn(here);
  expect(readMark(readFileSync(lookAtAutostart(here).way.file, "utf8"))).toMatchObject({ node: here.node, bin: here.bin });
  for (const text of ["", "# written by moth", "# written by moth autostart, and taken out by moth autostart off: {}"])
    expect(readMark(text)).toBeUndefined();
});

/** As systemd takes a line apart. */
function words(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    (quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "").replaceAll("%%", "%"),
  );
}
