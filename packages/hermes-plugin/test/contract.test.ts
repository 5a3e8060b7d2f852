import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listen } from "./listener.ts";
import { bodies, end, type Event, model, one, play, PLUGIN, python, reply, start, TOKEN, tool, turn } from "./play.ts";

describe.runIf(python.found)("the contract of an adapter", () => {
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

  test("sends nothing but what the protocol names", async () => {
    const listener = await listen();
    const steps = [start(), model("Look.", [{ id: "c1", name: "clarify" }]), tool("c1", "clarify"), reply("Done."), end()];
    await play(steps, { url: listener.url });
    const requests = await listener.take(4);
    const allowed = ["source", "session", "label", "seq", "pid", "text", "outcome", "turn", "state", "wait", "ended"];
    for (const body of bodies(requests)) expect(allowed).toEqual(expect.arrayContaining(Object.keys(body)));
    expect(JSON.stringify(requests)).not.toMatch(/private|secret/);
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

  test("works with a server that answers garbage, answers never, or reads nothing", async () => {
    const garbage = await listen((socket) => socket.write("\x00\xff not http"));
    const deaf = await listen((socket) => socket.pause());
    const silent = await listen();
    for (const server of [garbage, deaf, silent]) {
      const played = await play(turn("x".repeat(60_000)), { url: server.url });
      expect(played).toMatchObject({ printed: "", returned: [null, null, null, null] });
      expect(server.connections()).toBe(2);
    }
  });

  test("works with the server down", async () => {
    expect(await play(turn("Done."))).toMatchObject({ printed: "", returned: [null, null, null, null] });
  });

  test("goes past a proxy", async () => {
    const proxy = await listen();
    const listener = await listen();
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const env = { ...Object.fromEntries(names.map((name) => [name, proxy.url])), NO_PROXY: "", no_proxy: "" };
    await play(turn("Between us."), { url: listener.url, env });
    await listener.take(2);
    expect(proxy.connections()).toBe(0);
  });

  test("without a token it connects to nobody; a new token counts from the next report on", async () => {
    const listener = await listen();
    await play(turn("Unheard."), { url: listener.url, token: false });
    const steps = [...turn("One."), { token: "another-token-of-some-characters" }, ...turn("Two.", { turn_id: "turn-2" })];
    await play(steps, { url: listener.url });
    const requests = await listener.take(4);
    expect(listener.connections()).toBe(4);
    const tokens = requests.map(({ head }) => /X-Moth-Token: (.*)/.exec(head)?.[1]);
    expect(tokens).toEqual([TOKEN, TOKEN, "another-token-of-some-characters", "another-token-of-some-characters"]);
  });
});

test("the plugin stays small", () => {
  const files = readdirSync(PLUGIN).filter((name) => /\.(py|yaml)$/.test(name));
  const bytes = files.reduce((sum, name) => sum + statSync(join(PLUGIN, name)).size, 0);
  expect(bytes).toBeLessThan(32_000);
});
