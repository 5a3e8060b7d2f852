import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { launcherScript } from "./launcher.ts";
import { makeTestHome, type TestHome } from "../../test/test-home.ts";

let home: TestHome;
beforeEach(() => {
  home = makeTestHome();
});
afterEach(() => home.remove());

/** A program that tells it was run, and with what. */
function makeNode(file: string, does = 'IFS= read -r event; echo "$0 $*" >>"$HOME/log"; echo "$event" >>"$HOME/log"'): string {
  home.write(file, `#!/bin/sh\n${does}\n`);
  chmodSync(home.at(file), 0o755);
  return home.at(file);
}

function launch(
  node: string,
  args: string[],
  env: Record<string, string> = {},
): { status: number | null; output: string; log: string } {
  home.write(".moth/bin/moth-hook", launcherScript({ ...home.options, node }));
  chmodSync(home.at(".moth/bin/moth-hook"), 0o755);
  const run = spawnSync(home.at(".moth/bin/moth-hook"), args, {
    input: "event",
    env: { HOME: home.path, PATH: "/nowhere", ...env },
  });
  const log = existsSync(home.at("log")) ? home.read("log").replaceAll(home.path, "~") : "";
  return { status: run.status, output: run.stdout.toString() + run.stderr.toString(), log };
}

describe.skipIf(process.platform === "win32")("the launcher", () => {
  it("runs the program with the Node of the installation", () => {
    const node = makeNode("it's a node/node");
    expect(launch(node, ["some-harness"])).toEqual({
      status: 0,
      output: "",
      log: "~/it's a node/node ~/.moth/lib/moth-hook.cjs some-harness\nevent\n",
    });
  });

  it("takes the Node on PATH when that one is gone, else the usual places", () => {
    makeNode("path/node");
    expect(launch("/gone/node", ["h"], { PATH: home.at("path") }).log).toContain("~/path/node ");
    makeNode(".nvm/versions/node/v22.1.0/bin/node");
    // Where the system has a Node in a usual place, that one comes first.
    if (!["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"].some((file) => existsSync(file)))
      expect(launch("/gone/node", ["h"]).log).toContain("~/.nvm/versions/node/v22.1.0/bin/node ");
  });

  it("gives the next one its turn when a Node is too old, with the event unread", () => {
    const old = makeNode("old", "echo SyntaxError >&2; exit 1");
    makeNode("path/node");
    expect(launch(old, ["h"], { PATH: home.at("path") })).toEqual({
      status: 0,
      output: "",
      log: "~/path/node ~/.moth/lib/moth-hook.cjs h\nevent\n",
    });
  });

  it("is silent and content whatever the program does, and without any Node", () => {
    const noisy = makeNode("noisy", "echo out; echo err >&2; exit 0");
    expect(launch(noisy, ["h"])).toMatchObject({ status: 0, output: "" });
    const bad = makeNode("bad", "echo out; echo err >&2; exit 3");
    expect(launch(bad, ["h"])).toMatchObject({ status: 0, output: "" });
  });

  it("hands on what the program says to a harness that asks the person, and no more", () => {
    const noisy = makeNode("noisy", "echo out; echo err >&2; exit 0");
    for (const word of ["asks", "holds"]) expect(launch(noisy, ["h", word])).toMatchObject({ status: 0, output: "out\n" });
    const closed = 'exec "$HOME/.moth/bin/moth-hook" h asks >&-';
    expect(spawnSync("/bin/sh", ["-c", closed], { env: { HOME: home.path, PATH: "/nowhere" } })).toMatchObject({ status: 0 });
  });

  it("starts nothing for an event that only closes waits while there is none of that harness", () => {
    const node = makeNode("node");
    expect(launch(node, ["h", "if-waiting"]).log).toBe("");
    home.write(".moth/run/waits/hh.s.w", "");
    expect(launch(node, ["h", "if-waiting"]).log).toBe("");
    home.write(".moth/run/waits/h.s.w", "");
    expect(launch(node, ["h", "if-waiting"]).log).toContain("moth-hook.cjs h if-waiting\n");
  });

  it("tells the program which moth it belongs to and who called, and not what is meant for the person's own Node", () => {
    const node = makeNode("node", 'echo "$MOTH_HOME ${NODE_OPTIONS-none} $MOTH_CALLER" >>"$HOME/log"');
    const { log } = launch(node, ["h"], { NODE_OPTIONS: "--inspect", MOTH_CALLER: "1" });
    expect(log).toBe(`~/.moth none ${process.pid}\n`);
    expect(launch(node, ["h"], { MOTH_HOME: "/other" }).log).toContain("/other none ");
  });
});
