import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { awaitAnswer } from "@moth-companion/core/answers";
import { expect, test, vi } from "vitest";
import { openTerminal } from "./support/terminal.ts";
import { BIN, createWorld, type World } from "./support/world.ts";

const about = { source: "pi", session: "s1", label: "api; $(id)" };
const wait = { id: "w1", kind: "permission", tool: "Bash" };

/** A program of the person's that writes down what it is told. */
function teller(world: World): { command: string; told: () => Record<string, string>[] } {
  const file = join(world.home, "told");
  const script = join(world.home, "tell.mjs");
  const names =
    "MOTH_EVENT MOTH_TITLE MOTH_BODY MOTH_SOURCE MOTH_SESSION MOTH_LABEL MOTH_WAIT MOTH_WAITS_FOR MOTH_ASKED MOTH_CHOICES MOTH_TOOL MOTH_SECONDS MOTH_NOTICE";
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";
const told = Object.fromEntries("${names}".split(" ").map((name) => [name, process.env[name]]));
appendFileSync(${JSON.stringify(file)}, JSON.stringify({ ...told, args: process.argv.slice(2) }) + "\\n");`,
  );
  chmodSync(script, 0o700);
  return {
    command: JSON.stringify([process.execPath, script, "two words; rm -rf *"]),
    told: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Record<string, string>)
        : [],
  };
}

const soon = (fn: () => void): Promise<void> => vi.waitFor(fn, { timeout: 10_000, interval: 20 });

test("notify on: a running moth tells a command of a wait, and again when it was answered", async () => {
  const world = await createWorld();
  await world.up();
  const { command, told } = teller(world);
  expect((await world.moth(["notify"])).out).toBe("moth notifies you of nothing. Turn it on: moth notify on\n");
  expect(await world.moth(["config", "notify.command", command])).toMatchObject({ code: 0 });
  const on = await world.moth(["notify", "on"]);
  expect(on).toMatchObject({ code: 0, err: "" });
  expect(on.out).toMatch(/^moth notifies you of sessions that wait, .* after 60 seconds of work\.\nby: .*command\n$/);

  await world.post("/api/state", { ...about, state: "waiting", wait });
  await soon(() => expect(told()).toHaveLength(1));
  expect(told()[0]).toEqual({
    MOTH_EVENT: "waits",
    MOTH_TITLE: "api; $(id) waits for a permission (Bash)",
    MOTH_BODY: "Pi",
    MOTH_SOURCE: "pi",
    MOTH_SESSION: "s1",
    MOTH_LABEL: "api; $(id)",
    MOTH_WAIT: "w1",
    MOTH_WAITS_FOR: "permission",
    MOTH_ASKED: "",
    MOTH_CHOICES: "",
    MOTH_TOOL: "Bash",
    MOTH_SECONDS: "",
    MOTH_NOTICE: "n1",
    args: ["two words; rm -rf *"],
  });
  await world.post("/api/state", { ...about, state: "working" });
  await soon(() => expect(told()[1]).toMatchObject({ MOTH_EVENT: "withdrawn", MOTH_NOTICE: "n1" }));
});

test("next names who wants you most; what is seen there is seen everywhere", async () => {
  const world = await createWorld();
  await world.up();
  expect((await world.moth(["next"])).out).toBe("nobody needs you.\n");
  await world.post("/api/state", { ...about, session: "s0", label: "docs", state: "working" });
  await world.post("/api/agent", { ...about, session: "s0", label: "docs", text: "Done." });
  await world.post("/api/state", { ...about, label: "web", state: "waiting", wait, pane: "%3" });
  await soon(() => undefined);
  await vi.waitFor(
    async () =>
      expect((await world.moth(["next"])).out).toMatch(/^pi · web asked for a permission \(Bash\), \d+s ago {2}\(%3\)\n$/),
    {
      timeout: 10_000,
    },
  );
  expect((await world.moth(["next", "--seen"])).out).toContain("web asked");
  expect((await world.moth(["next", "--seen"])).out).toMatch(/^pi · docs finished, \d+s ago\n$/);
  // It waits all the same.
  expect((await world.moth(["next", "--all"])).out).toMatch(/^pi · web asked .*\n$/);
  expect(JSON.parse((await world.moth(["ps", "--json"])).out)).not.toContainEqual(
    expect.objectContaining({ unread: expect.anything() as unknown }),
  );
});

test("mute and unmute, by name, for a time; status says what is muted", async () => {
  const world = await createWorld();
  await world.up();
  const { command, told } = teller(world);
  await world.moth(["config", "notify.command", command]);
  await world.moth(["notify", "on"]);
  await world.post("/api/state", { ...about, label: "web", state: "working" });
  expect(await world.moth(["mute", "web", "--for", "30m"])).toMatchObject({ code: 0, out: "web is muted for 30m.\n" });
  expect((await world.moth(["notify", "status"])).out).toMatch(/^muted: web, for (?:29|30)m more$/m);
  await world.post("/api/state", { ...about, label: "web", state: "idle", outcome: "failed" });
  expect(await world.moth(["mute", "wep"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Did you mean "web"?') as string,
  });
  expect(await world.moth(["mute", "--for", "soon"])).toMatchObject({ code: 2 });
  expect((await world.moth(["mute"])).out).toBe("everything is muted until moth unmute, or until moth stops.\n");
  expect((await world.moth(["notify", "--json"])).out).toContain('"silent": true');
  expect((await world.moth(["unmute"])).out).toBe("everything is told again.\n");
  await world.post("/api/state", { ...about, session: "s2", label: "api", state: "idle", outcome: "limit" });
  await soon(() => expect(told().map((one) => one["MOTH_TITLE"])).toEqual(["api hit its limit"]));
});

test("notify test says what showed it, and what is wrong", async () => {
  const world = await createWorld();
  await world.up();
  const { command, told } = teller(world);
  await world.moth(["config", "notify.by", "command"]);
  expect(await world.moth(["notify", "test"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no command to run") as string,
  });
  await world.moth(["config", "notify.command", command]);
  const ran = await world.moth(["notify", "test"]);
  expect(ran).toEqual({
    code: 0,
    err: "",
    out: "shown by: command\nIt is off, so nothing else will come. Turn it on: moth notify on\n",
  });
  expect(told()).toMatchObject([{ MOTH_EVENT: "test" }]);
  await world.moth(["config", "notify.command", "no-such-program-of-moth"]);
  expect(await world.moth(["notify", "test"])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^nothing showed it\n/) as string,
    err: expect.stringContaining("no-such-program-of-moth cannot be started (ENOENT)") as string,
  });
  await world.moth(["config", "notify.by", "terminal,command"]);
  expect((await world.moth(["notify", "test"])).out).toMatch(
    /^shown by: terminal\nThe terminal shows it where moth tail runs\.\n/,
  );
  expect(await world.moth(["notify", "loud"])).toMatchObject({ code: 2 });
});

test("notify without a running moth writes the setting and says so", async () => {
  const world = await createWorld();
  const on = await world.moth(["notify", "on"]);
  expect(on).toMatchObject({ code: 0 });
  expect(on.out).toContain("moth is not running, so it notifies you of nothing. Start it: moth up");
  expect((await world.moth(["notify", "off"])).out).toBe("moth notifies you of nothing. Turn it on: moth notify on\n");
  expect(await world.moth(["next"])).toMatchObject({ code: 3 });
});

test("moth tail tells its terminal, which carries it through SSH, and what is typed stays", async () => {
  const world = await createWorld();
  await world.up();
  await world.moth(["config", "notify.by", "terminal"]);
  await world.moth(["notify", "on"]);
  const terminal = openTerminal(["tail", "--history", "0"], { env: world.env, cwd: world.home });
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["you>"]));
  terminal.type("half");
  await world.post("/api/state", { ...about, label: "web", state: "waiting", wait });
  await terminal.waitFor(() => expect(terminal.output()).toContain("\u001b]9;web waits for a permission (Bash) (Pi)\u001b\\"));
  await terminal.waitFor(() => expect(terminal.rows()).toEqual(["pi · web waits for a permission (Bash)", "you> half"]));
});

test("status --line is one short line, empty when all is quiet, and 3 when no moth runs", async () => {
  const world = await createWorld();
  expect(await world.moth(["status", "--line"])).toEqual({ code: 3, out: "", err: "" });
  await world.up();
  expect(await world.moth(["status", "--line"])).toEqual({ code: 0, out: "\n", err: "" });
  for (const session of ["s1", "s2"]) await world.post("/api/state", { ...about, session, state: "waiting", wait });
  await world.post("/api/state", { ...about, session: "s3", state: "working" });
  await vi.waitFor(async () => expect((await world.moth(["status", "--line"])).out).toBe("2 wait · 1 works\n"), {
    timeout: 10_000,
  });
  writeFileSync(join(world.home, ".moth/token"), "0".repeat(64));
  expect(await world.moth(["status", "--line"])).toEqual({ code: 1, out: "", err: "" });
});

test("a command of the person's is told what is asked, once it may be, and can answer just that", async () => {
  const world = await createWorld();
  const file = join(world.home, "told");
  const script = `test "$MOTH_EVENT" = waits || exit 0
printf '%s|%s|%s' "$MOTH_WAITS_FOR" "$MOTH_ASKED" "$MOTH_CHOICES" > ${file}
${process.execPath} ${BIN} answer "$MOTH_SESSION" allow --wait "$MOTH_WAIT" >> ${file} 2>&1`;
  await world.moth(["config", "notify.command", JSON.stringify(["sh", "-c", script])]);
  await world.moth(["config", "notify.by", "command"]);
  for (const key of ["notify", "answers", "notify.answers"]) await world.moth(["config", key, "on"]);
  await world.up();
  const asked = { ...wait, text: "echo '$(id)' && npm publish", answerable: true };
  await world.post("/api/state", { ...about, state: "waiting", wait: asked });
  const answer = await awaitAnswer({ ...about, wait: "w1" }, { env: world.env, signal: new AbortController().signal });
  expect(answer).toMatchObject({ choice: "allow" });
  answer?.taken();
  await soon(() =>
    expect(readFileSync(file, "utf8")).toMatch(/^permission\|echo '\$\(id\)' && npm publish\|allow\ndeny.*has your answer\.\n$/s),
  );
});
