/** The token stands in its file, and in the header of a request. Nowhere else. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createWorld, type World } from "../support/world.ts";

const about = { source: "pi", session: "s1", label: "api" };
const wait = { id: "w1", kind: "permission", tool: "Bash", text: "npm publish", answerable: true };

/** Every file below a folder that can be read whole. */
function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** Everything the server answers, to friend and foe. */
async function everyAnswer(world: World, token: string): Promise<string> {
  const paths = [
    "/",
    "/open?key=x",
    "/api/health",
    "/api/says",
    "/api/sessions",
    "/api/last?source=pi&session=s1",
    "/api/log",
    "/api/notify",
  ];
  const bodies: [string, object][] = [
    ["/api/chat", { text: "hello" }],
    ["/api/answer", { ...about, wait: "w1", choice: "always" }],
    ["/api/agent", { text: 5 }],
    ["/api/mute", { seconds: -1 }],
    ["/api/open", {}],
    ["/api/enter", { key: "x" }],
  ];
  const said: string[] = [];
  for (const given of [token, `${token}x`, "", undefined]) {
    const headers = {
      Accept: "text/html",
      "Content-Type": "application/json",
      ...(given !== undefined && { "X-Moth-Token": given }),
    };
    const all = [...paths.map((path) => [path] as const), ...bodies.map(([path, body]) => [path, body] as const)];
    for (const [path, body] of all) {
      const post = body && { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(world.url + path, { headers, redirect: "manual", ...post });
      said.push(JSON.stringify([...answer.headers]), await answer.text());
    }
  }
  return said.join("\n");
}

test("in a busy run the token stands in no answer, no output, no log, no argument, no other file", async () => {
  const world = await createWorld();
  await world.moth(["config", "answers", "on"]);
  const tell = join(world.home, "tell.mjs");
  writeFileSync(
    tell,
    `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(join(world.home, "told"))}, JSON.stringify(process.env));`,
  );
  await world.moth(["config", "notify.command", JSON.stringify([process.execPath, tell])]);
  await world.moth(["notify", "on"]);
  const pid = await world.up(["--react-every", "0", "--quiet-after", "0"]);
  const token = world.token();
  const tail = world.start(["tail"]);
  const json = world.start(["tail", "--json"]);
  await world.post("/api/agent", { ...about, text: "Done. All 12 tests pass.", outcome: "failed" });
  await world.post("/api/state", { ...about, state: "waiting", wait });
  await vi.waitFor(() => expect(tail.out()).toContain("Done."), { timeout: 10_000 });
  await vi.waitFor(() => expect(files(world.home)).toContain(join(world.home, "told")), { timeout: 10_000 });

  const said: string[] = [await everyAnswer(world, token)];
  const commands = [
    ["ps"],
    ["ps", "--json"],
    ["status"],
    ["status", "--line"],
    ["last", "api"],
    ["answer", "api"],
    ["next", "--all"],
  ].concat(
    [
      ["doctor"],
      ["doctor", "--json"],
      ["config"],
      ["hooks"],
      ["open", "--print"],
      ["notify"],
      ["notify", "test"],
      ["up"],
      ["nonsense"],
    ],
    [["wait", "api", "--for", "waiting"], ["mute", "api"], ["forget"], ["hook", "--all", "--dry-run"], ["ps", "--token", "x"]],
  );
  for (const args of commands) {
    const { out, err } = await world.moth(args, { NODE_DEBUG: "" });
    said.push(out, err);
  }
  if (process.platform === "linux")
    said.push(readFileSync(`/proc/${pid}/cmdline`, "utf8"), readFileSync(`/proc/${pid}/environ`, "utf8"));
  // Wrong in every way there is, so that the errors speak.
  writeFileSync(join(world.home, ".moth", "config.json"), `{ "token": `);
  for (const args of [["ps"], ["doctor"], ["config"]]) said.push(...Object.values(await world.moth(args)).map(String));
  await world.moth(["stop"]);
  said.push(tail.out(), tail.err(), json.out(), json.err(), (await world.moth(["ps"])).err);

  expect(said.join("\n")).not.toContain(token);
  // As hex, as base64, cut, or in a URL it would be one as well.
  for (const other of [
    encodeURIComponent(token),
    Buffer.from(token).toString("base64"),
    Buffer.from(token).toString("hex"),
    token.slice(0, 16),
  ])
    expect(said.join("\n")).not.toContain(other);
  const holders = files(world.home).filter((path) => readFileSync(path, "latin1").includes(token));
  expect(holders).toEqual([join(world.home, ".moth", "token")]);
}, 120_000);

test("a token in a URL opens nothing", async () => {
  const world = await createWorld();
  await world.up();
  const token = world.token();
  for (const query of [`token=${token}`, `X-Moth-Token=${token}`, `key=${token}`, `access_token=${token}`]) {
    expect([query, (await fetch(`${world.url}/api/log?${query}`)).status]).toEqual([query, 401]);
    expect((await fetch(`${world.url}/open?${query}`)).headers.get("set-cookie")).toBeNull();
    const enter = { method: "POST", headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" } };
    const entered = await fetch(`${world.url}/api/enter?${query}`, { ...enter, body: JSON.stringify({ key: token }) });
    expect([entered.status, entered.headers.get("set-cookie")]).toEqual([403, null]);
  }
  const url = new URL(world.url);
  expect((await fetch(`${url.protocol}//${url.host}/api/log`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(
    401,
  );
});
