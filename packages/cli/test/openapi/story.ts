/** A day with moth, as an adapter and a display that know the document: every operation answers well, and refuses where a session does not allow it. */
import { expect, vi } from "vitest";
import type { Called, Caller } from "./caller.ts";

const whom = { source: "my-agent", session: "s1" };
const waiting = { id: "w1", kind: "permission", tool: "bash", text: "npm test", answerable: true };

export async function page({ call }: Caller): Promise<void> {
  await call("/api/health");
  await call("/");
  await call("/", { headers: { Accept: "text/html" } });
  const { json } = await call("/api/open", { body: {} });
  const key = new URL(json["url"] as string).searchParams.get("key")!;
  await call("/open", { query: { key } });
  const { answer, json: entered } = await call("/api/enter", { body: { key } });
  expect((await call("/api/enter", { body: { key } })).what).toBe("LINK");
  const page = {
    "X-Moth-Token": undefined,
    "Sec-Fetch-Site": "same-origin",
    Cookie: answer.headers["set-cookie"]!.split(";")[0],
    "X-Moth-Page": entered["pageKey"] as string,
  };
  expect((await call("/api/sessions", { headers: page })).answer.status).toBe(200);
  for (const without of ["Cookie", "X-Moth-Page", "Sec-Fetch-Site"])
    expect((await call("/api/sessions", { headers: { ...page, [without]: undefined } })).what).toBe("TOKEN");
}

export async function answersOff({ call }: Caller): Promise<void> {
  const refused = await Promise.all([
    call("/api/answer", { body: { ...whom, wait: "w1", choice: "allow" } }),
    call("/api/order", { body: { ...whom, do: "abort" } }),
  ]);
  expect(refused.map(({ what }) => what)).toEqual(["ANSWERS_OFF", "ANSWERS_OFF"]);
}

/** Answers must be on. */
export async function answers({ call }: Caller): Promise<void> {
  const answer = (wait: string, more: object = {}): Promise<Called> =>
    call("/api/answer", { body: { ...whom, wait, choice: "allow", ...more } });
  let seq = 0;
  const state = (more: object): Promise<Called> => call("/api/state", { body: { ...whom, label: "app", seq: ++seq, ...more } });
  const wait = (more: object): Promise<Called> => state({ state: "waiting", wait: { ...waiting, ...more } });
  const fetch = (id: string): Promise<Called> => call("/api/answers", { query: { ...whom, wait: id, for: "10" } });

  expect((await answer("w1")).what).toBe("NO_SESSION");
  await wait({});
  const [fetched, answered] = [fetch("w1"), answer("w1", { text: "Go on." })];
  const { id, ...given } = (await fetched).json;
  expect(given).toEqual({ choice: "allow", text: "Go on." });
  expect((await call("/api/taken", { body: { id, taken: true } })).json).toEqual({ ok: true });
  expect((await answered).json).toEqual({ ok: true });
  expect((await call("/api/taken", { body: { id, taken: true } })).json).toEqual({ ok: false });
  expect((await answer("w1")).what).toBe("ANSWERED");

  await wait({ id: "w2" });
  const over = fetch("w2");
  await state({ state: "working" });
  expect((await over).json).toEqual({ over: true });
  expect((await answer("w2")).what).toBe("STALE");
  await wait({ id: "w3", answerable: false, why: "It asks several questions at once." });
  expect((await answer("w3")).what).toBe("NOT_ANSWERABLE");
  await state({ state: "working" });
  await wait({ id: "w4", options: ["Yes", "No"], expires: 2e12, kind: "question" });
  expect((await answer("w4")).what).toBe("BAD_FIELD");
  // Nobody fetches it.
  expect((await answer("w4", { choice: "Yes" })).what).toBe("NOT_TAKEN");
  expect((await call("/api/answers", { query: { ...whom, wait: "w4" } })).json).toEqual({});
}

/** Answers must be on, and the session there. */
export async function orders({ call }: Caller): Promise<void> {
  const order = (what: string, more: object = {}): Promise<Called> =>
    call("/api/order", { body: { ...whom, do: what, text: "Run the tests.", by: "test", ...more } });
  const state = (now: string): Promise<Called> => call("/api/state", { body: { ...whom, state: now } });
  const fetch = async (): Promise<{ fetched: Promise<Called> }> => {
    const fetched = call("/api/orders", { query: { ...whom, takes: "prompt,abort", for: "10" } });
    await vi.waitFor(async () =>
      expect(JSON.stringify((await call("/api/sessions")).json)).toContain('"takes":["prompt","abort"]'),
    );
    return { fetched };
  };

  expect((await order("prompt", { session: "s9" })).what).toBe("NO_SESSION");
  expect((await order("prompt")).what).toBe("WAITING");
  await state("idle");
  expect((await order("abort")).what).toBe("IDLE");
  expect((await order("prompt")).what).toBe("NOT_HERE");
  expect((await call("/api/orders", { query: { ...whom, takes: "abort" } })).json).toEqual({});
  const { fetched } = await fetch();
  const ordered = order("prompt");
  const { id, ...given } = (await fetched).json;
  expect(given).toEqual({ do: "prompt", text: "Run the tests." });
  await call("/api/taken", { body: { id, taken: true } });
  await state("working");
  expect((await ordered).json).toEqual({ ok: true });

  const again = await fetch();
  const refused = order("abort");
  await call("/api/taken", { body: { id: (await again.fetched).json["id"], taken: false, problem: "It is busy." } });
  expect((await refused).what).toBe("NOT_TAKEN");
  await state("gone");
  expect((await order("abort")).what).toBe("GONE");
}

/** @returns the kinds of events there were */
export async function displays({ call }: Caller): Promise<Set<string>> {
  const turn = {
    ...whom,
    session: "s2",
    label: "app",
    text: "**Done.** All 12 tests pass.",
    // As if that were the beginning of a long one.
    chars: 90_000,
    turn: "t1",
    cwd: "/",
    pid: process.pid,
  };
  expect((await call("/api/last", { query: { source: "my-agent" } })).what).toBe("NO_SESSION");
  await call("/api/state", { body: { ...turn, state: "working", pane: "kitty:1" } });
  expect((await call("/api/last", { query: { ...whom, session: "s2" } })).json).toEqual({ reply: null });
  expect((await call("/api/agent", { body: turn })).json).toEqual({ ok: true });
  expect((await call("/api/agent", { body: turn })).json).toEqual({ ok: true, duplicate: true });
  expect((await call("/api/last", { query: { ...whom, session: "s2" } })).json).toMatchObject({
    reply: { text: turn.text, chars: 90_000 },
  });
  const { json } = await call("/api/says", { query: { wait: "20", ...whom, session: "s2" } });
  expect(json["says"]).toHaveLength(1);
  const chat = await call("/api/chat", { body: { text: "who is at work?" } });
  await vi.waitFor(async () => expect((await call("/api/log")).answer.body).toContain(`"chat":${String(chat.json["chat"])}`));
  await call("/api/says", { headers: { "X-Moth-Token": undefined } });
  await call("/api/sessions");
  await call("/api/seen", { body: whom });
  await call("/api/seen", { body: {} });
  expect((await call("/api/mute", { body: { ...whom, seconds: 60 } })).json["muted"]).toHaveLength(1);
  expect((await call("/api/mute", { body: {} })).json["silent"]).toBe(true);
  await call("/api/mute", { body: { off: true } });
  await call("/api/notify");
  await call("/api/notify/test", { body: {} });
  const { events } = (await call("/api/log", { query: { since: "0", wait: "1" } })).json as { events: { kind: string }[] };
  return new Set(events.map(({ kind }) => kind));
}
