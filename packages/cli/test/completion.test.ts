import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorld, type World } from "./support/world.ts";

test("the bash completion completes commands, flags and harnesses", async () => {
  const world = await createWorld();
  const { out } = await world.moth(["completion", "bash"]);
  const complete = (...words: string[]): string[] => {
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _moth; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(ran.stderr).toBe("");
    return ran.stdout.trim().split("\n");
  };
  expect(complete("moth", "ho")).toEqual(["hooks", "hook"]);
  expect(complete("moth", "up", "--de")).toEqual(["--detach"]);
  expect(complete("moth", "hook", "cl")).toContain("claude-code");
  expect(complete("moth", "config", "react")).toEqual(["react_every"]);
  expect(complete("moth", "completion", "f")).toEqual(["fish"]);
});

/** Names that a shell would take apart, or run. */
const ODD = ["api", "my app (b330)", "$(touch ran)", "it's `touch ran`; touch ran", "--help", "übung"];

/** A moth with sessions of these names. */
async function withSessions(): Promise<World> {
  const world = await createWorld();
  await world.up();
  for (const label of ODD) await world.post("/api/state", { source: "x", session: label, label, state: "idle" });
  return world;
}

test("where a session is to be named bash offers those that the running moth knows, each as one word, and none when it is asleep", async () => {
  const world = await withSessions();
  const { out } = await world.moth(["completion", "bash"]);
  const complete = (...words: string[]): string[] => {
    const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _moth`;
    // As a shell reads what it has put into the line.
    const script = `${out}\n${call}; for one in "\${COMPREPLY[@]}"; do eval "printf '%s\\n' $one"; done`;
    const ran = spawnSync("bash", ["-c", script], { encoding: "utf8", env: world.env, cwd: world.home });
    expect(ran.stderr).toBe("");
    return ran.stdout.trim().split("\n");
  };
  for (const name of ["answer", "last", "wait", "say", "abort", "resume", "fork", "mute"])
    expect([
      name,
      complete("moth", name, "")
        .filter((word) => ODD.includes(word) && !word.startsWith("-"))
        .toSorted(),
    ]).toEqual([name, ODD.filter((word) => !word.startsWith("-")).toSorted()]);
  expect(complete("moth", "say", "ap")).toEqual(["api"]);
  expect(complete("moth", "say", "api", "")).not.toContain("api");
  expect(complete("moth", "hook", "")).not.toContain("api");
  expect(existsSync(join(world.home, "ran"))).toBe(false);
  await world.moth(["stop"]);
  expect(complete("moth", "last", "")).toEqual(["--json", "--help"]);
});

test.each(["zsh", "fish"])("so does %s, where there is one", async (shell) => {
  const world = await withSessions();
  const file = join(world.home, "completion");
  writeFileSync(file, (await world.moth(["completion", shell])).out);
  const script =
    shell === "fish"
      ? `source ${file}; complete -C "moth last a"`
      : `compdef() { :; }; compadd() { print -rl -- \${(P)2}; }; _describe() { :; }; source ${file}; words=(moth last a); CURRENT=3; _moth`;
  const ran = spawnSync(shell, ["-c", script], { encoding: "utf8", env: world.env, cwd: world.home });
  if (ran.error) return expect(ran.error).toMatchObject({ code: "ENOENT" });
  expect(ran.stderr).toBe("");
  expect(ran.stdout.split("\n")).toContain("api");
  if (shell === "fish") {
    const offered = (line: string): string[] =>
      spawnSync(shell, ["-c", `source ${file}; complete -C ${JSON.stringify(line)}`], {
        encoding: "utf8",
        env: world.env,
        cwd: world.home,
      })
        .stdout.trim()
        .split("\n")
        .map((one) => one.split("\t")[0]!)
        .filter(Boolean);
    // Without a dash that is typed there are operands only.
    expect(offered("moth last ")).not.toContain("--help");
    expect(offered("moth tail --session ").toSorted()).toEqual(ODD.filter((word) => !word.startsWith("-")).toSorted());
    expect(offered("moth wait api --for ").toSorted()).toEqual(["idle", "waiting", "gone"].toSorted());
    expect(offered("moth wait api --timeout ")).toEqual([]);
    expect(offered("moth start pi --cwd ")).toContain("completion");
  }
  if (shell === "zsh")
    expect(ran.stdout.trim().split("\n").toSorted()).toEqual(ODD.filter((word) => !word.startsWith("-")).toSorted());
  expect(existsSync(join(world.home, "ran"))).toBe(false);
});

test("a name that means more than one session is not offered", async () => {
  const world = await createWorld();
  await world.up();
  const tell = (session: string, state: string): Promise<unknown> =>
    world.post("/api/state", { source: "x", session, label: "web", state });
  await tell("gone1", "idle");
  await tell("gone1", "gone");
  const offered = async (): Promise<string[]> => (await world.moth(["ps", "--names"])).out.trim().split("\n");
  expect(await offered()).toEqual(["web"]);
  await tell("live1", "idle");
  await tell("live2", "idle");
  const names = await offered();
  expect(names).toHaveLength(2);
  for (const name of names) expect(name).toMatch(/^web \(.+\)$/);
});

test.each(["zsh", "fish", "powershell"])("the %s completion names every command and harness", async (shell) => {
  const world = await createWorld();
  const { code, out } = await world.moth(["completion", shell]);
  expect(code).toBe(0);
  for (const word of ["up", "unhook", "doctor", "claude-code", "react-every", "quiet_after"]) expect(out).toContain(word);
});

test.each(["zsh", "fish"])("the %s completion is a script its shell can read, where there is one", async (shell) => {
  const world = await createWorld();
  const file = join(world.home, "completion");
  writeFileSync(file, (await world.moth(["completion", shell])).out);
  const read = spawnSync(shell, ["-n", file], { encoding: "utf8" });
  if (read.error) expect(read.error).toMatchObject({ code: "ENOENT" });
  else expect([read.status, read.stderr]).toEqual([0, ""]);
});

test("the script says in its first lines how to call it here, and what it completes", async () => {
  const world = await createWorld();
  const own = (await world.moth(["completion", "bash"])).out.split("\n").slice(0, 3);
  expect(own).toEqual([
    "# moth completion for bash. Put this line into ~/.bashrc:",
    "#   source <(moth completion bash)",
    "_moth() {",
  ]);
  const npx = (await world.moth(["completion", "bash"], { npm_command: "exec" })).out.split("\n").slice(0, 4);
  expect(npx[1]).toMatch(/^# {3}source <\((?:npx moth|node .*moth\.mjs) completion bash\)$/);
  expect(npx[2]).toMatch(/^# It completes a command named moth\. Make one: alias moth='(?:npx moth|node .*moth\.mjs)'$/);
});
