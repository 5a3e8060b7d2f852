/** Makes the terminal's pictures in `docs/pictures`. Only when asked: `MOTH_PICTURES=1 npx vitest run packages/cli/test/pictures` */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { picture } from "./support/picture.ts";
import { openTerminal, type Terminal } from "./support/terminal.ts";
import { createWorld, type World } from "./support/world.ts";

const folder = join(import.meta.dirname, "../../../docs/pictures");

function draw(name: string, terminal: Terminal, columns: number, cursor?: { row: number; column: number }): void {
  const svg = picture(terminal.runs(), { title: name, columns, ...(cursor ? { cursor } : {}) });
  writeFileSync(join(folder, `${name.replaceAll(/[^a-z]+/g, "-")}.svg`), svg);
}

const session = (source: string, id: string, label: string): object => ({ source, session: id, label });
const web = session("claude-code", "3f2a91bc-1", "web");
const api = session("codex", "77c0de55-2", "api");
const docs = session("opencode", "0badcafe-3", "docs");
const infra = session("pi", "51deca7e-4", "infra");

async function fourSessions(world: World): Promise<void> {
  await world.post("/api/state", { ...infra, state: "working" });
  await world.post("/api/agent", { ...docs, text: "Done. All 41 tests pass, and the guide names the new flags." });
  await world.post("/api/state", { ...api, state: "waiting", wait: { id: "w", kind: "permission", tool: "shell" } });
  await world.post("/api/state", { ...web, state: "working" });
  await world.post("/api/agent", {
    ...web,
    text: "I ran the suite: 3 tests failed in auth.test.ts, because the clock of the fake server stands still.",
  });
  const roster = async (): Promise<string> => (await world.moth(["ps"])).out;
  await vi.waitFor(async () => expect(await roster()).toContain("waits: permission (shell)"), { timeout: 10_000 });
}

test.skipIf(!process.env["MOTH_PICTURES"])(
  "tail, ps --watch, next and status --line",
  async () => {
    const world = await createWorld();
    // Lamp yellow as a terminal of today shows it.
    Object.assign(world.env, { COLORTERM: "truecolor" });
    await world.up(["--batch-window", "0", "--react-every", "0", "--quiet-after", "0"]);
    const columns = 84;
    const open = (args: string[]): Terminal => openTerminal(args, { env: world.env, cwd: world.home, columns, rows: 24 });
    const tail = open(["tail"]);
    await tail.waitFor(() => expect(tail.rows()).toEqual(["you>"]));
    await fourSessions(world);
    await tail.waitFor(() => expect(tail.rows().filter((row) => row.startsWith("moth>"))).toHaveLength(2));
    tail.type("who is at work?\r");
    await tail.waitFor(() => expect(tail.rows().filter((row) => row.startsWith("moth>"))).toHaveLength(3));
    tail.type("and what does api want");
    await tail.waitFor(() => expect(tail.rows().at(-1)).toBe("you> and what does api want"));
    draw("moth tail", tail, columns, tail.cursor());

    await world.moth(["config", "answers", "on"]);
    const wait = { id: "w2", kind: "permission", tool: "bash", text: "npm publish --access public", answerable: true };
    await world.post("/api/state", { ...infra, state: "waiting", wait });
    await tail.waitFor(() => expect(tail.rows().join(" ")).toContain("infra waits for a permission"));
    tail.type("\t");
    await tail.waitFor(() => expect(tail.rows().at(-1)).toBe("answer>"));
    tail.type("a");
    await tail.waitFor(() => expect(tail.rows().at(-1)).toBe("answer> a"));
    draw("moth tail answer", tail, columns, tail.cursor());
    await world.post("/api/state", { ...infra, state: "working" });

    const ps = open(["ps", "--watch"]);
    await ps.waitFor(() => expect(ps.rows()).toHaveLength(7));
    draw("moth ps --watch", ps, columns);

    const next = open(["next"]);
    expect(await next.ended).toBe(0);
    draw("moth next", next, columns);
    const line = open(["status", "--line"]);
    expect(await line.ended).toBe(0);
    draw("moth status --line", line, columns);
  },
  60_000,
);
