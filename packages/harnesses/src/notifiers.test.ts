import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTestHome } from "../test/test-home.ts";
import { notifiersIn } from "./notifiers.ts";
import { findHarness, harnesses } from "./registry.ts";

test.each([
  ["bash ~/.claude/hooks/peon-ping/peon.sh", ["peon-ping"]],
  ["bash '/Users/ada/.claude/hooks/peon-ping/adapters/codex.sh'", ["peon-ping"]],
  ["/opt/homebrew/opt/code-notify/lib/code-notify/core/notifier.sh stop claude", ["Code-Notify"]],
  ['node "C:\\Users\\ada\\clawd-on-desk\\hooks\\clawd-hook.js" Stop', ["Clawd on Desk"]],
  ["ccmux hook", ["ccmux"]],
  ["bash ~/.claude/hooks/herdr-agent-state.sh session", ["herdr"]],
  ["@mohak34/opencode-notifier@latest", ["opencode-notifier"]],
  ["/Applications/Atoll.app/codeisland-bridge --source codex", ["CodeIsland"]],
  ["'/usr/local/bin/OpenIslandHooks' --source grok", ["Open Island"]],
  ["'/Users/ada/.vibe-island/bin/vibe-island-bridge' --source grok", ["Vibe Island"]],
  ["curl -sf http://127.0.0.1:7837/api/v1/hooks --max-time 1", ["Irrlicht"]],
  ["agent-deck hook-handler", ["agent-deck"]],
  ["claude-notifications-go@claude-notifications-go", ["Agent Notifications"]],
  ["workmux set-window-status done; notify-send done", ["workmux", "notify-send"]],
  ["osascript -e 'display notification \"done\"'", ["osascript"]],
  // Not everything that sounds like it.
  ["/home/ada/code/my-ccmux-notes/lint.sh", []],
  ["node /home/ada/herdrive/format.js", []],
  ["/home/ada/.moth/bin/moth-hook claude-code", []],
  ["prettier --write", []],
])("%s", (text, names) => {
  expect(notifiersIn(["true", text])).toEqual(names);
});

/** What a notifier leaves in each harness. */
const TRACES: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "claude-code": [
    ".claude/settings.json",
    '// mine\n{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "~/peon-ping/peon.sh"}]}]}}',
  ],
  codex: [".codex/config.toml", 'notify = ["bash", "/home/ada/peon-ping/adapters/codex.sh"]\n'],
  opencode: [".config/opencode/plugins/peon-ping.ts", ""],
  kilo: [".config/kilo/kilo.jsonc", '{"plugin": ["peon-ping@1"],}'],
  pi: [".pi/agent/extensions/peon-ping.ts", ""],
  omp: [".omp/agent/extensions/peon-ping.ts", ""],
  hermes: [".hermes/config.yaml", "hooks:\n  post_llm_call:\n    - command: bash ~/peon-ping/peon.sh\n"],
  copilot: [
    ".copilot/hooks/sounds.json",
    '{"version": 1, "hooks": {"agentStop": [{"type": "command", "bash": "~/peon-ping/peon.sh"}]}}',
  ],
  dsh: [".dsh/cordis.patch.yml", "- insert:\n    - id: x\n      name: ../../peon-ping.mjs\n"],
  gemini: [
    ".gemini/settings.json",
    '{"hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "~/peon-ping/peon.sh"}]}]}}',
  ],
  qwen: [".qwen/settings.json", '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "~/peon-ping/peon.sh"}]}]}}'],
  cursor: [".cursor/hooks.json", '{"version": 1, "hooks": {"stop": [{"command": "~/peon-ping/peon.sh"}]}}'],
  antigravity: [".gemini/config/hooks.json", '{"peon": {"Stop": [{"type": "command", "command": "~/peon-ping/peon.sh"}]}}'],
};

test.each(harnesses.map(({ id }) => id))("%s: what stands beside moth is seen, and nothing where nothing does", async (id) => {
  const home = makeTestHome();
  onTestFinished(() => home.remove());
  const strangers = async (): Promise<string[]> => notifiersIn((await findHarness(id)?.strangers(home.options)) ?? []);
  expect(await strangers()).toEqual([]);
  const [file, text] = TRACES[id] ?? ["", ""];
  home.write(file, text);
  expect(await strangers()).toEqual(["peon-ping"]);
});

test("a plugin that is off, a project's name and a file that is none are no notifiers", async () => {
  const home = makeTestHome();
  onTestFinished(() => home.remove());
  const strangers = async (id: string): Promise<string[]> => notifiersIn((await findHarness(id)?.strangers(home.options)) ?? []);
  home.write(
    ".claude/settings.json",
    '{"enabledPlugins": {"peon-ping@x": false}, "permissions": {"allow": ["Bash(notify-send:*)"]}}',
  );
  home.write(".codex/config.toml", `[projects."${join(home.path, "ccmux")}"]\ntrust_level = "trusted"\n`);
  home.write(".hermes/config.yaml", "hooks: [\n");
  expect(await Promise.all(["claude-code", "codex", "hermes"].map(strangers))).toEqual([[], [], []]);
  home.write(".claude/settings.json", '{"enabledPlugins": {"peon-ping@x": true}}');
  expect(await strangers("claude-code")).toEqual(["peon-ping"]);
});
