/** What the plugin does when it is called. What holds of every adapter is in `e2e/contract`. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listen } from "./listener.ts";
import { bodies, type Event, one, play, PLUGIN, python, turn } from "./play.ts";

describe.runIf(python.found)("the plugin as it is called", () => {
  test("posts the final reply of a turn once, though the process ends right after", async () => {
    const listener = await listen();
    await play(turn("All **done**."), { url: listener.url });
    const requests = await listener.take(2);
    expect(requests.map(({ head }) => head.split(" ")[1])).toEqual(["/api/state", "/api/agent"]);
    const [, said] = bodies(requests);
    expect(said).toMatchObject({
      source: "hermes",
      session: one.session_id,
      text: "All **done**.",
      outcome: "done",
      turn: "turn-1",
    });
    expect(said?.["label"]).toMatch(/^moth hermes /);
    expect(said?.["pid"]).toBeGreaterThan(0);
  });

  test("returns nothing, prints nothing and raises nothing, whatever it is called with", async () => {
    const hooks = (await play([])).hooks;
    const odd: Event[] = [
      {},
      { session_id: null, turn_id: 7, platform: [], completed: "yes", surface: {}, tool_call_id: null },
      { ...one, unknown: { deep: [] }, assistant_response: ["a", "list"], response: "text", reason: 5 },
      { ...one, response: { assistant_message: { content: [1], tool_calls: [null, 1, { id: 1 }, { id: "x", function: "y" }] } } },
      { ...one, assistant_response: "half \ud83d", platform: "cli" },
    ];
    const steps = hooks.flatMap((call) => odd.map((event) => ({ call, event })));
    const played = await play(steps);
    expect(played.returned).toEqual(steps.map(() => null));
    expect(played.printed).toBe("");
  });

  test("registers what its manifest says, and nothing where an error could stop a tool", async () => {
    const manifest = readFileSync(join(PLUGIN, "plugin.yaml"), "utf8");
    const { hooks } = await play([]);
    expect([...manifest.matchAll(/^ {2}- (\w+)$/gm)].map((match) => match[1] ?? "").toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      hooks,
    );
    expect(hooks.filter((hook) => /^(pre_tool_call|pre_verify|transform_|pre_gateway)/.test(hook))).toEqual([]);
  });
});

test("the plugin stays small", () => {
  const files = readdirSync(PLUGIN).filter((name) => /\.(py|yaml)$/.test(name));
  const bytes = files.reduce((sum, name) => sum + statSync(join(PLUGIN, name)).size, 0);
  expect(bytes).toBeLessThan(54_000);
});
