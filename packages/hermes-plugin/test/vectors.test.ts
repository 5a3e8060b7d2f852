import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, constants, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { hostname, networkInterfaces, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { contentOn, mothAddress } from "@moth-companion/core/config";
import { sessionLabel } from "@moth-companion/core/label";
import { isOwnMoth } from "@moth-companion/core/own-moth";
import { paneOf } from "@moth-companion/core/pane";
import { authority, type Env, mothHome } from "@moth-companion/core/paths";
import { pipeFile } from "@moth-companion/core/pipe";
import type { StateReport, TurnReport } from "@moth-companion/core/protocol";
import { sendState, sendTurn } from "@moth-companion/core/report";
import { readToken } from "@moth-companion/core/token";
import { expect, onTestFinished, test } from "vitest";
import { listen, type Request } from "./listener.ts";
import { findPython } from "./python.ts";
import vectors from "./vectors.json" with { type: "json" };

const python = findPython();
if (!python.found) process.stderr.write(`skipped: the Python half of the vectors, ${python.reason}\n`);

const TOKEN = "a-token-of-thirty-two-characters";

/** What the Python client answers, one answer for each job. */
function ask(jobs: readonly object[], env: Env = {}): unknown[] {
  if (!python.found) return [];
  return JSON.parse(
    execFileSync(python.program, [join(import.meta.dirname, "client.py")], {
      input: JSON.stringify(jobs),
      encoding: "utf8",
      env: { PATH: process.env["PATH"], PYTHONUTF8: "1", ...env },
    }),
  ) as unknown[];
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "moth vectors "));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("moth's labels are those of the vectors", () => {
  expect(vectors.labels.map(({ cwd, session }) => sessionLabel(cwd, session))).toEqual(vectors.labels.map(({ label }) => label));
});

test.runIf(python.found)("the plugin's labels are those of the vectors", () => {
  const answers = ask(vectors.labels.map(({ cwd, session }) => ({ do: "label", cwd, session })));
  expect(answers).toEqual(vectors.labels.map(({ label }) => label));
});

test.runIf(python.found)("whatever hides or may hide is taken out of a label by both", () => {
  const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/u;
  const points = Array.from({ length: 0x110000 }, (_, at) => at).filter((at) => at < 0xd800 || at > 0xdfff);
  const near = points.filter((at) =>
    [at - 1, at, at + 1].some((one) => hidden.test(String.fromCodePoint(Math.max(one, 0) % 0x110000))),
  );
  const jobs = near.map((at) => ({ do: "label", cwd: `/srv/a${String.fromCodePoint(at)}b`, session: "x" }));
  const theirs = ask(jobs);
  const differ = jobs
    .filter(({ cwd, session }, at) => sessionLabel(cwd, session) !== theirs[at])
    .map(({ cwd }) => cwd.codePointAt(6));
  expect(near.length).toBeGreaterThan(4000);
  expect(differ).toEqual([]);
});

/** Each address's environment, with its settings file. */
function surroundings(): { env: Env; address: string | null }[] {
  const root = folder();
  return vectors.addresses.map(({ env, config, address }, at) => {
    const home = join(root, String(at));
    mkdirSync(home);
    if (config !== undefined) writeFileSync(join(home, "config.json"), config);
    return { env: { ...(env as Env), MOTH_HOME: home }, address };
  });
}

test("moth is looked for where the vectors say", () => {
  const all = surroundings();
  const found = all.map(({ env }) => mothAddress(env)).map((address) => (address ? authority(address) : null));
  expect(found).toEqual(all.map(({ address }) => address));
});

test.runIf(python.found)("the plugin looks for moth where the vectors say", () => {
  const all = surroundings();
  expect(ask(all.map(({ env }) => ({ do: "address", env })))).toEqual(all.map(({ address }) => address));
});

test("both hear what agents write, or not, as the vectors say", () => {
  const root = folder();
  const envs = vectors.contents.map(({ env, config }, at) => {
    const file = join(root, String(at));
    if (config !== undefined) writeFileSync(file, config);
    return { ...(env as Env), MOTH_CONFIG_FILE: file };
  });
  const wanted = vectors.contents.map(({ on }) => on);
  expect(envs.map(contentOn)).toEqual(wanted);
  if (python.found) expect(ask(envs.map((env) => ({ do: "content", env })))).toEqual(wanted);
});

test("settings that cannot be read may say that nothing is to be heard", () => {
  const env = { MOTH_CONFIG_FILE: folder() };
  expect(contentOn(env)).toBe(false);
  if (python.found) expect(ask([{ do: "content", env }])).toEqual([false]);
});

test.runIf(python.found)("both find the same home", () => {
  const envs = [{}, { HOME: "" }, { HOME: "." }, { HOME: "some/where" }, { HOME: "/home/me" }, { MOTH_HOME: "/elsewhere" }];
  expect(
    ask(
      envs.map((env) => ({ do: "home", env })),
      { HOME: process.env["HOME"] },
    ),
  ).toEqual(envs.map((env) => mothHome(env)));
});

test.runIf(python.found)("no other machine is the person's own to either, this one's addresses are", () => {
  const other = ["192.0.2.1", "2001:db8::1", "moth.example", "127.0.0.1.moth.example"];
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  // A link's own address names the link too.
  const hosts = [...other, ...own.filter((host) => !host.startsWith("fe80")), hostname()];
  const env = { MOTH_URL: "http://given" };
  const wanted = hosts.map((host) => !other.includes(host));
  expect(hosts.map((host) => isOwnMoth({ host, port: 9 }, env))).toEqual(wanted);
  expect(ask(hosts.map((host) => ({ do: "own", host, home: "/nowhere", env })))).toEqual(wanted);
});

test("a pane is named the same by both", () => {
  const envs = vectors.panes.map(({ env }) => env as Env);
  const wanted = vectors.panes.map(({ pane }) => pane);
  expect(envs.map((env) => paneOf(env) ?? null)).toEqual(wanted);
  if (python.found) expect(ask(envs.map((env) => ({ do: "pane", env })))).toEqual(wanted);
});

test("a token is what both take for one", () => {
  const root = folder();
  const envs = vectors.tokens.map(({ file }, at) => {
    const name = join(root, String(at));
    if (file !== undefined) writeFileSync(name, file);
    return { MOTH_TOKEN_FILE: name };
  });
  const wanted = vectors.tokens.map(({ token }) => token);
  expect(envs.map((env) => readToken(env) ?? null)).toEqual(wanted);
  if (python.found) expect(ask(envs.map((env) => ({ do: "token", env })))).toEqual(wanted);
});

test.runIf(python.found)("both clients write the same bytes, and none over 64 KB", async () => {
  const home = folder();
  writeFileSync(join(home, "token"), TOKEN);
  const listener = await listen();
  const env = { MOTH_HOME: home, MOTH_URL: listener.url };
  const jobs = vectors.requests.map(({ to, report, text }) => ({
    do: "send",
    to,
    report: text ? { ...report, text: text.repeat.repeat(text.times) } : report,
  }));
  for (const { to, report } of jobs) {
    const sent = to === "agent" ? sendTurn(report as TurnReport, { env }) : sendState(report as StateReport, { env });
    expect(await sent).toBe(true);
  }
  const ours = await listener.take(jobs.length);
  expect(ask(jobs, env)).toEqual(jobs.map(() => true));
  const theirs = await listener.take(jobs.length);
  expect(theirs.sort(bySeq)).toEqual(ours.sort(bySeq));
  for (const { head, body } of theirs) {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(64 * 1024);
    expect(head).toContain(`X-Moth-Token: ${TOKEN}`);
  }
});

test.runIf(python.found && process.platform !== "win32")(
  "beside a pipe both write the same into it, and nothing to the port",
  async () => {
    const home = folder();
    writeFileSync(join(home, "token"), TOKEN);
    const listener = await listen();
    const env = { MOTH_HOME: home, MOTH_URL: listener.url };
    const file = pipeFile(Number(new URL(listener.url).port), env);
    mkdirSync(dirname(file));
    execFileSync("mkfifo", ["-m", "600", file]);
    const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(pipe));
    const written = (): string[] => {
      const buffer = Buffer.alloc(256 * 1024);
      const lines = buffer.toString("utf8", 0, readSync(pipe, buffer)).trim().split("\n");
      return lines.map((line) => line.replace(/^[a-z0-9]{1,8} /, ""));
    };
    const jobs = [
      { do: "send", to: "state", report: { source: "x", session: "s", state: "working", seq: 1 } },
      { do: "send", to: "agent", report: { source: "x", session: "s", text: "mäuse 🦋\n".repeat(1500), seq: 2 } },
    ];
    for (const { to, report } of jobs)
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await (to === "agent" ? sendTurn(report as TurnReport, { env }) : sendState(report as StateReport, { env }));
    const ours = written();
    expect(ours.length).toBeGreaterThan(5);
    expect(ask(jobs, env)).toEqual([true, true]);
    expect(written()).toEqual(ours);
    expect(listener.connections()).toBe(0);
    chmodSync(file, 0o620);
    expect(ask(jobs.slice(0, 1), env)).toEqual([true]);
    expect(await listener.take(1)).toHaveLength(1);
  },
);

test.runIf(python.found)("whoever listens on moth's port while moth is asleep is told nothing", async () => {
  const home = folder();
  writeFileSync(join(home, "token"), TOKEN);
  const listener = await listen();
  const port = Number(new URL(listener.url).port);
  writeFileSync(join(home, "config.json"), JSON.stringify({ port }));
  const jobs = [{ do: "send", to: "state", report: { source: "x", state: "idle", seq: 1 } }];
  expect(ask(jobs, { MOTH_HOME: home })).toEqual([false]);
  mkdirSync(join(home, "run"));
  const record = join(home, `run/${port}.json`);
  for (const odd of ["", "[]", '{"pid": "1"}', '{"pid": true}', '{"pid": -1}']) {
    writeFileSync(record, odd);
    expect([odd, ask(jobs, { MOTH_HOME: home })]).toEqual([odd, [false]]);
  }
  expect(listener.connections()).toBe(0);
  writeFileSync(record, JSON.stringify({ pid: process.pid }));
  expect(ask(jobs, { MOTH_HOME: home })).toEqual([true]);
  expect(await listener.take(1)).toHaveLength(1);
});

function bySeq(one: Request, other: Request): number {
  return seq(one) - seq(other);
}

function seq({ body }: Request): number {
  return (JSON.parse(body) as { seq: number }).seq;
}
