/** The contract of an adapter, a test for each line of it, held by every adapter as it is built. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findHarness, harnesses } from "@moth-companion/harnesses";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type ListeningMoth, startMoth, startTcp, TOKEN } from "../../packages/core/test/listening-moth.ts";
import type { Chapter, Life, Rig, Surroundings } from "./adapter.ts";
import { rigs, WITHOUT } from "./rigs/index.ts";

/** A whole session, with all that is not to be heard between two replies that are. */
const SESSION: readonly Chapter[] = [
  { is: "turn", says: "The first reply." },
  { is: "turn without words" },
  { is: "subagent's turn", says: "From the helper." },
  { is: "aborted turn", says: "Half of a" },
  { is: "unknown event" },
  { is: "turn", says: "The **second** reply." },
  { is: "turn without words" },
  { is: "end" },
];
const REPLIES = ["The first reply.", "The **second** reply."];
const SHORT: readonly Chapter[] = [{ is: "turn", says: "The first reply." }, { is: "end" }];

const NAMED = ["source", "session", "label", "seq", "pid", "cwd", "text", "outcome", "turn", "state", "wait", "ended"];
/** Of a request, in small letters. */
const HEADERS = new Set(["host", "connection", "content-type", "content-length", "x-moth-token"]);
/** Milliseconds. A second is the limit; the rest is for a busy machine. */
const IN_TIME = 3000;

function surroundings(url: string, more: { token?: string | null; env?: Record<string, string> } = {}): Surroundings {
  const home = mkdtempSync(join(tmpdir(), "moth contract "));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { token = TOKEN, env = {} } = more;
  if (token !== null) writeFileSync(join(home, "token"), token);
  return { home, url, env };
}

/** A life in which the harness noticed nothing of moth. */
const UNDISTURBED = { traces: "", meddled: 0, late: 0, inTime: true };

async function live(rig: Rig, chapters: readonly Chapter[], where: Surroundings): Promise<Life & { inTime: boolean }> {
  const life = await rig.live(chapters, where);
  return { ...life, inTime: life.slowest < IN_TIME };
}

/** Something that is waited for until it is opened. */
function gate(): { opened: Promise<void>; open: () => void } {
  const made = { open: (): void => {} };
  const opened = new Promise<void>((resolve) => (made.open = resolve));
  return { opened, open: () => made.open() };
}

/** The replies that were heard, once the session is gone: the last of its reports. */
async function replies(moth: ListeningMoth): Promise<string[]> {
  await vi.waitFor(() => expect(moth.heard().at(-1)?.body).toMatchObject({ state: "gone" }), { timeout: 10_000 });
  await vi.waitFor(() => expect(moth.heard()).toHaveLength(moth.requests()), { timeout: 10_000 });
  return moth.heard().flatMap(({ body }) => body.text ?? []);
}

async function liveWhole(rig: Rig): Promise<{ moth: ListeningMoth; life: Life; said: string[] }> {
  const moth = await startMoth();
  const life = await live(rig, SESSION, surroundings(moth.url));
  return { moth, life, said: await replies(moth) };
}

const TROUBLE: [string, () => Promise<string>][] = [
  ["is down", () => Promise.resolve("http://127.0.0.1:1")],
  ["has no address", () => Promise.resolve("not a url")],
  ["takes connections and reads nothing", async () => (await startTcp(() => {}, true)).url],
  ["never answers", async () => (await startTcp((socket) => socket.resume())).url],
  ["answers garbage", async () => (await startTcp((socket) => socket.resume().write("\0garbage\r\n".repeat(9999)))).url],
  ["answers 100 MB", async () => (await startTcp(flood)).url],
  ["slams the door", async () => (await startTcp((socket) => socket.resetAndDestroy())).url],
];

function flood(socket: Socket): void {
  const chunk = Buffer.alloc(1_000_000, "x");
  let left = 100;
  const more = (): void => {
    while (left-- > 0 && socket.writable && socket.write(chunk));
  };
  socket.resume().on("drain", more);
  more();
}

test("each harness that moth knows has a rig, or a reason for having none", () => {
  const known = new Set([...rigs.map(({ source }) => source), ...Object.keys(WITHOUT)]);
  expect(harnesses.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
});

const programs = new Set<string>();
for (const rig of rigs) {
  const isFirst = !programs.has(rig.program);
  programs.add(rig.program);
  const why = rig.skip === undefined ? "" : `: ${rig.skip}`;
  describe.skipIf(rig.skip !== undefined)(`${rig.name}${why}`, () => {
    holdOfHarness(rig);
    if (isFirst) holdOfProgram(rig);
  });
}

/** What depends on how a harness's events are read. */
function holdOfHarness(rig: Rig): void {
  // Lived once: each of its events may be a process.
  let lived: ReturnType<typeof liveWhole> | undefined;
  const whole = (): ReturnType<typeof liveWhole> => (lived ??= liveWhole(rig));

  test("posts the final reply of each turn once; nothing for subagents, aborted turns and turns without text; never an older reply again", async () => {
    const { said, life } = await whole();
    expect(said).toEqual(REPLIES);
    expect(life).toMatchObject(UNDISTURBED);
  });

  test("sends what the protocol names and nothing else: no prompt, no tool's input, no path but its folder's, in no byte", async () => {
    const { moth } = await whole();
    expect(moth.heard()).not.toEqual([]);
    for (const { path, body } of moth.heard()) {
      expect(path).toBe(body.text === undefined ? "/api/state" : "/api/agent");
      expect(NAMED).toEqual(expect.arrayContaining(Object.keys(body)));
      expect(body.source).toBe(rig.source);
      expect(["source", "session", "label", "seq"].filter((name) => !(name in body))).toEqual([]);
      // Only where `moth resume` needs it.
      expect("cwd" in body).toBe(findHarness(rig.source)?.launch !== undefined);
      expect(["id", "kind", "tool", "answerable"]).toEqual(expect.arrayContaining(Object.keys(body.wait ?? {})));
    }
    expect(moth.bytes().replace(/"cwd":"[^"]*"/g, "")).not.toMatch(/private|secret|\/home\/|\[\[/i);
    expect(
      moth
        .bytes()
        .match(/^[\w-]+(?=: )/gm)
        ?.filter((name) => !HEADERS.has(name.toLowerCase())),
    ).toEqual([]);
  });

  test("with content off nothing an agent writes or asks is sent, nor kept in moth's folder: a turn is its length", async () => {
    const decoy = "DECOY of 🌼";
    const said = REPLIES.map((reply) => `${reply} ${decoy}`);
    const chapters = SESSION.map((chapter) => ("says" in chapter ? { ...chapter, says: `${chapter.says} ${decoy}` } : chapter));
    const moth = await startMoth();
    // What would have an adapter tell what is asked, and wait for an answer.
    const where = surroundings(moth.url, { env: { MOTH_CONTENT: "off", MOTH_ANSWERS: "on" } });
    expect(await live(rig, chapters, where)).toMatchObject(UNDISTURBED);
    await replies(moth);
    const turns = moth.heard().flatMap(({ path, body }) => (path === "/api/agent" ? [[body.text, body.chars]] : []));
    expect(turns).toEqual(said.map((text) => ["", text.length]));
    expect(moth.heard().flatMap(({ body }) => (body.wait ? [body.wait.answerable] : []))).not.toContain(true);
    const bytes = moth.bytes().replace(/"cwd":"[^"]*"/g, "");
    expect(bytes).not.toMatch(/DECOY|reply|helper|Half of|private|secret/i);
    const run = join(where.home, "run");
    const kept = existsSync(run)
      ? readdirSync(run, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      : [];
    for (const file of kept.filter(({ parentPath }) => !parentPath.endsWith("compiled")))
      expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain("DECOY");
  });

  test("never throws, prints or answers, whatever it is given, and is heard all the same", async () => {
    const moth = await startMoth();
    const odd: Chapter[] = [{ is: "garbage" }, { is: "unknown event" }];
    expect(await live(rig, [...odd, ...SHORT], surroundings(moth.url))).toMatchObject(UNDISTURBED);
    expect(await replies(moth)).toEqual(["The first reply."]);
  });
}

/** What depends on how reports are sent. */
function holdOfProgram(rig: Rig): void {
  test.each(TROUBLE)("a moth that %s costs the harness nothing", async (_what, start) => {
    // Also where moth's lines are to show inside the harness.
    const env = { MOTH_SHOW_IN_HARNESS: "on" };
    expect(await live(rig, SHORT, surroundings(await start(), { env }))).toMatchObject(UNDISTURBED);
  });

  test("its calls are over before moth has seen a byte", async () => {
    const { opened, open } = gate();
    const moth = await startMoth(opened);
    expect(await live(rig, SHORT, surroundings(moth.url))).toMatchObject(UNDISTURBED);
    expect(moth.bytes()).toBe("");
    open();
    expect(await replies(moth)).toEqual(["The first reply."]);
  });

  test("behind a proxy, the proxy sees nothing", async () => {
    const moth = await startMoth();
    const proxy = await startTcp((socket) => socket.destroy());
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const env = {
      ...Object.fromEntries(names.map((name) => [name, proxy.url])),
      NODE_USE_ENV_PROXY: "1",
      NO_PROXY: "",
      no_proxy: "",
    };
    expect(await live(rig, SHORT, surroundings(moth.url, { env }))).toMatchObject(UNDISTURBED);
    expect(await replies(moth)).toEqual(["The first reply."]);
    expect(proxy.connections()).toBe(0);
  });

  test("without a token it calls nobody", async () => {
    const moth = await startMoth();
    expect(await live(rig, SHORT, surroundings(moth.url, { token: null }))).toMatchObject(UNDISTURBED);
    expect(moth.connections()).toBe(0);
  });

  test("reads the token for each report: a new one counts at once", async () => {
    const moth = await startMoth();
    const token = "another-token-of-thirty-two-chars";
    const chapters: Chapter[] = [
      { is: "turn", says: "The first reply." },
      { is: "new token", token },
      { is: "turn", says: "Once more." },
      { is: "end" },
    ];
    expect(await live(rig, chapters, surroundings(moth.url))).toMatchObject(UNDISTURBED);
    expect(await replies(moth)).toEqual(["The first reply.", "Once more."]);
    const tokens = moth.heard().map((report) => report.token);
    const first = moth.heard().findIndex(({ body }) => body.text !== undefined);
    expect(new Set(tokens.slice(0, first + 1))).toEqual(new Set([TOKEN]));
    expect(tokens.at(-1)).toBe(token);
  });
}
