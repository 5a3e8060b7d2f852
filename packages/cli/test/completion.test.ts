import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorld } from "./support/world.ts";

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
