/** Dialogs answered through moth, with a real moth behind them. In the real Hermes: `e2e/scenarios/answered-*.test.ts`. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Session, Wait } from "@moth-companion/core/protocol";
import { describe, expect, test, vi } from "vitest";
import { started, tempHome } from "../../server/test/support.ts";
import { answer, ask, type Dialog, end, model, one, play, type Played, python, start, type Step, tool } from "./play.ts";

const PATIENCE = { timeout: 10_000 };
const COMMAND = "rm -rf private";

/** A command that looks dangerous is about to run. */
function permission(id: string, more: Partial<Dialog> = {}): Dialog {
  const shows = { command: COMMAND, description: "deletes files", choices: ["once", "session", "always", "deny"] };
  return { dialog: "_approval_state", shows, before: ask(id), after: answer(id), ...more };
}

/** The same with a command of its own. */
function running(id: string, command: string): Dialog {
  const [before, after] = [ask(id), answer(id)].map((call) => ({ ...call, event: { ...call.event, command } }));
  return permission(id, { shows: { command, choices: ["once", "deny"] }, before: before!, after: after! });
}

function question(id: string, choices: string[], more: Partial<Dialog> = {}): Dialog {
  const asks = {
    id,
    type: "function",
    function: { name: "clarify", arguments: JSON.stringify({ question: " Which colour? ", choices }) },
  };
  const said = { role: "assistant", content: "", tool_calls: [asks] };
  const before: Step = { call: "post_api_request", event: { ...one, response: { assistant_message: said } } };
  return { dialog: "_clarify_state", shows: { question: "Which colour?", choices }, before, after: tool(id, "clarify"), ...more };
}

interface Stage {
  /** Plays the dialogs of one turn. */
  plays: (dialogs: readonly Step[], env?: Record<string, string>) => Promise<Played>;
  shows: (id: string) => Promise<Wait>;
  /** Gives an answer as a display does; the error's code, or "ok". */
  give: (answer: { wait: string; choice?: string; text?: string }) => Promise<string>;
  roster: () => Promise<Session[]>;
  /** A file that is not there yet, and how to make it. */
  file: string;
  make: () => void;
  restart: () => Promise<void>;
}

async function stage(answers: "on" | "off" = "on"): Promise<Stage> {
  const home = tempHome();
  const mine = { MOTH_HOME: home, MOTH_ANSWERS: answers };
  let server = await started({ env: mine });
  const headers = { "X-Moth-Token": server.token, "Content-Type": "application/json" };
  const file = join(home, "now");
  const roster = async (): Promise<Session[]> => {
    const answered = await fetch(`${server.url}/api/sessions`, { headers });
    return ((await answered.json()) as { sessions: Session[] }).sessions;
  };
  return {
    plays: (dialogs, env = {}) => {
      const around = { WINDOW: "1", MOTH_ANSWERS: answers, MOTH_TOKEN_FILE: join(home, "token"), ...env };
      return play([start(), model("", [{ id: "c-1", name: "terminal" }]), ...dialogs, end()], { url: server.url, env: around });
    },
    shows: (id) =>
      vi.waitFor(async () => {
        const [row] = await roster();
        if (row?.state !== "waiting" || row.wait.id !== id || row.wait.text === undefined) throw new Error("not yet");
        return row.wait;
      }, PATIENCE),
    async give(given) {
      const body = JSON.stringify({ source: "hermes", session: one.session_id, by: "test", ...given });
      const answered = await fetch(`${server.url}/api/answer`, { method: "POST", headers, body });
      return ((await answered.json()) as { error?: { code: string } }).error?.code ?? "ok";
    },
    roster,
    file,
    make: () => writeFileSync(file, ""),
    async restart() {
      await server.stop();
      // Away for as long as it takes to be missed.
      const away = createServer((socket) => void socket.destroy()).listen(server.port, "127.0.0.1");
      await once(away, "connection");
      away.close();
      server = await started({ env: mine, port: server.port });
    },
  };
}

describe.runIf(python.found)("dialogs of the classic terminal", () => {
  test("a permission is told with the command, given once through moth, and nothing is printed", async () => {
    const made = await stage();
    const played = made.plays([permission("c-1")]);
    const text = `${COMMAND}\n(deletes files)`;
    expect(await made.shows("c-1")).toEqual({ id: "c-1", kind: "permission", tool: "terminal", text, answerable: true });
    const both = await Promise.all([made.give({ wait: "c-1", choice: "allow" }), made.give({ wait: "c-1", choice: "deny" })]);
    expect(both).toEqual(["ok", "ANSWERED"]);
    expect(await played).toMatchObject({ given: ["once"], printed: "" });
  });

  test("a denial takes no words with it", async () => {
    const made = await stage();
    const played = made.plays([permission("c-1")]);
    await made.shows("c-1");
    expect(await made.give({ wait: "c-1", choice: "deny", text: "not there" })).toBe("NOT_TAKEN");
    expect(await made.give({ wait: "c-1", choice: "deny" })).toBe("ok");
    expect((await played).given).toEqual(["deny"]);
  });

  test("a question takes one of its options, or words", async () => {
    const made = await stage();
    const played = made.plays([question("q-1", ["Red", "Blue"]), question("q-2", [])]);
    expect(await made.shows("q-1")).toMatchObject({ kind: "question", text: "Which colour?", options: ["Red", "Blue"] });
    expect(await made.give({ wait: "q-1", choice: "Blue", text: "or not" })).toBe("NOT_TAKEN");
    expect(await made.give({ wait: "q-1", choice: "Blue" })).toBe("ok");
    expect(await made.shows("q-2")).not.toHaveProperty("options");
    expect(await made.give({ wait: "q-2", text: " green " })).toBe("ok");
    expect((await played).given).toEqual(["Blue", "green"]);
  });

  test("the window first: its answer counts, and moth's comes too late", async () => {
    const made = await stage();
    const key = { when: made.file, value: "deny" };
    const played = made.plays([permission("c-1", { key }), running("c-2", "rm -rf other")]);
    await made.shows("c-1");
    made.make();
    await made.shows("c-2");
    expect(await made.give({ wait: "c-1", choice: "allow" })).toBe("STALE");
    expect(await made.give({ wait: "c-2", choice: "allow" })).toBe("ok");
    expect((await played).given).toEqual(["deny", "once"]);
  });

  test("one that the window answers at the same moment is told so", async () => {
    const made = await stage();
    const played = made.plays([permission("c-1", { tells: { choice: "session" } })]);
    await made.shows("c-1");
    expect(await made.give({ wait: "c-1", choice: "allow" })).toBe("NOT_TAKEN");
    await played;
  });

  test("of two that wait at once the one on the screen is answered, then the other", async () => {
    const made = await stage();
    const played = made.plays([{ together: [running("c-1", "rm -rf one"), running("c-2", "rm -rf two")] }]);
    await made.shows("c-1");
    expect(await made.give({ wait: "c-2", choice: "allow" })).toBe("NOT_ANSWERABLE");
    expect(await made.give({ wait: "c-1", choice: "deny" })).toBe("ok");
    await made.shows("c-2");
    expect(await made.give({ wait: "c-2", choice: "allow" })).toBe("ok");
    expect((await played).given).toEqual(["deny", "once"]);
  });

  test("a moth that is started anew while a dialog waits hears of it", async () => {
    const made = await stage();
    const played = made.plays([permission("c-1")]);
    await made.shows("c-1");
    await made.restart();
    await made.shows("c-1");
    expect(await made.give({ wait: "c-1", choice: "allow" })).toBe("ok");
    expect((await played).given).toEqual(["once"]);
  });

  test.each<[string, Partial<Dialog>, Record<string, string>]>([
    ["one that shows less than will run", { shows: { command: "rm -rf ***", choices: ["once", "deny"] } }, {}],
    ["one of another shape", { shows: { command: COMMAND } }, {}],
    ["one in a run without a window", {}, { WINDOW: "" }],
  ])("%s is answered in the window alone, and nothing of it is told", async (_what, more, env) => {
    const made = await stage();
    const played = made.plays([permission("c-1", { ...more, key: { when: made.file, value: "deny" } })], env);
    const [row] = await vi.waitFor(async () => {
      const rows = await made.roster();
      expect(rows).toMatchObject([{ state: "waiting" }]);
      return rows;
    }, PATIENCE);
    expect(row).toMatchObject({ wait: { id: "c-1", kind: "permission", tool: "terminal", answerable: false } });
    expect(await made.give({ wait: "c-1", choice: "allow" })).toBe("NOT_ANSWERABLE");
    made.make();
    expect((await played).given).toEqual(["deny"]);
  });

  test("with answers off nothing of what is asked is told, and moth is asked nothing", async () => {
    const made = await stage("off");
    const played = made.plays([permission("c-1", { key: { when: made.file, value: "once" } })]);
    await vi.waitFor(
      async () => expect(await made.roster()).toMatchObject([{ state: "waiting", wait: { answerable: false } }]),
      PATIENCE,
    );
    expect(await made.give({ wait: "c-1", choice: "allow" })).toBe("ANSWERS_OFF");
    expect(JSON.stringify(await made.roster())).not.toContain(COMMAND);
    made.make();
    expect((await played).given).toEqual(["once"]);
  });
});
