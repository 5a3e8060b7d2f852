import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestIo, tempFolder, type TestIo } from "../test/support/io.ts";
import { run } from "./run.ts";
import { readSettings } from "./settings.ts";

function home(config?: string): string {
  const folder = tempFolder();
  if (config !== undefined) writeFileSync(join(folder, "config.json"), config);
  return folder;
}
async function moth(argv: string[], env: Record<string, string>): Promise<{ code: number; io: TestIo }> {
  const io = createTestIo({ env });
  return { code: await run(argv, io), io };
}

test("each setting: flag beats environment beats file beats default", () => {
  const env = { MOTH_HOME: home(`{"react_every": 30, "quiet_after": "15", "port": 5000}`), MOTH_REACT_EVERY: "20" };
  const { all, values, problems } = readSettings(env, { react_every: 10 });
  expect(problems).toEqual([]);
  expect(values).toMatchObject({
    show_in_harness: false,
    react_every: 10,
    quiet_after: 15,
    batch_window: 4,
    port: 5000,
    host: "127.0.0.1",
  });
  expect(all.map((setting) => setting.from)).toEqual([
    "default",
    "default",
    "default",
    "default",
    "flag",
    "file",
    "default",
    ...Array.from({ length: all.length - 9 }, () => "default"),
    "file",
    "default",
  ]);
  expect(readSettings(env).values.react_every).toBe(20);
});

test("MOTH_URL gives host and port", () => {
  const { all } = readSettings({ MOTH_HOME: home(`{"port": 5000}`), MOTH_URL: "http://[::1]:6000" });
  expect(all.slice(-2)).toEqual([
    { key: "port", value: 6000, from: "env", where: "MOTH_URL" },
    { key: "host", value: "::1", from: "env", where: "MOTH_URL" },
  ]);
});

test.each<[Record<string, string>, string | undefined, RegExp]>([
  [{ MOTH_REACT_EVERY: "often" }, undefined, /^MOTH_REACT_EVERY is "often", which is not a number of seconds/],
  [{ MOTH_URL: "https://x" }, undefined, /^MOTH_URL is "https:\/\/x", which is not an http:\/\/ address/],
  [{}, `{"port": 0}`, /^port in .*config\.json is 0, which is not a port/],
  [{}, `{"show_in_harness": "perhaps"}`, /^show_in_harness in .* is "perhaps", which is not on or off/],
  [{}, `{"batch_window": -1}`, /^batch_window in .* is -1/],
  [{}, `{ broken`, /config\.json is not valid JSON/],
  [{}, `[1]`, /config\.json is not a JSON object/],
])("a bad value (%j %s) is one problem, and the default holds", (env, file, problem) => {
  const { values, problems } = readSettings({ MOTH_HOME: home(file), ...env });
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(values).toMatchObject({
    show_in_harness: false,
    react_every: 120,
    quiet_after: 60,
    batch_window: 4,
    port: 4747,
    host: "127.0.0.1",
  });
});

test("`moth config` shows each with where it comes from", async () => {
  const folder = home(`{"react_every": 30}`);
  const { code, io } = await moth(["config"], { MOTH_HOME: folder, MOTH_SHOW_IN_HARNESS: "yes" });
  expect(code).toBe(0);
  expect(io.out().replace(folder, "HOME")).toMatchInlineSnapshot(`
    "SETTING                VALUE      FROM
    show_in_harness        on         MOTH_SHOW_IN_HARNESS
    answers                off        default
    away                   off        default
    content                on         default
    react_every            30         HOME/config.json
    quiet_after            60         default
    batch_window           4          default
    notify                 off        default
    notify.finished_after  60         default
    notify.by              auto       default
    notify.command         -          default
    notify.quiet           -          default
    notify.sound           off        default
    notify.answers         off        default
    voice                  builtin    default
    voice.url              -          default
    voice.model            -          default
    voice.key_env          -          default
    voice.home             on         default
    port                   4747       default
    host                   127.0.0.1  default
    "
  `);
});

test("`moth config react_every` is the value alone, for scripts", async () => {
  expect((await moth(["config", "react_every"], { MOTH_HOME: home() })).io.out()).toBe("120\n");
  expect((await moth(["config", "show-in-harness"], { MOTH_HOME: home() })).io.out()).toBe("off\n");
});

test.each([
  ['{ "content": "maybe" }', /content in .* is "maybe", which is not on or off/],
  ['{ "content": null }', /content in .* is null, which is not on or off/],
  ['{ "content": "off", }', /is not valid JSON/],
])("content that is written as %s is off, and what is wrong is said", async (text, problem) => {
  const env = { MOTH_HOME: home() };
  mkdirSync(env.MOTH_HOME, { recursive: true });
  writeFileSync(join(env.MOTH_HOME, "config.json"), text);
  const { io } = await moth(["config", "--json"], env);
  expect(JSON.parse(io.out())).toContainEqual({
    key: "content",
    value: false,
    from: "file",
    where: join(env.MOTH_HOME, "config.json"),
  });
  expect(io.err()).toMatch(problem);
});

test("a content variable that is no switch is off", async () => {
  expect((await moth(["config", "content"], { MOTH_HOME: home(), MOTH_CONTENT: "of" })).io.out()).toBe("off\n");
});

test("`moth config --json` is an array", async () => {
  const { io } = await moth(["config", "--json"], { MOTH_HOME: home() });
  expect(JSON.parse(io.out())).toContainEqual({ key: "react_every", value: 120, from: "default" });
});

test("writing keeps unknown keys, makes the folder for the person alone, and says when it takes hold", async () => {
  const folder = join(tempFolder(), "new");
  const { code, io } = await moth(["config", "react_every", "60"], { MOTH_HOME: folder });
  expect([code, io.err()]).toEqual([0, ""]);
  expect(io.out()).toMatch(/^react_every is 60 \(.*config\.json\)\nA moth that is running takes it up at its next start/);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, "config.json")).mode & 0o777]).toEqual([0o700, 0o600]);
  writeFileSync(join(folder, "config.json"), `\uFEFF{"mine": {"a": [1]}, "react_every": 60}`);
  await moth(["config", "show_in_harness", "ON"], { MOTH_HOME: folder });
  expect(JSON.parse(readFileSync(join(folder, "config.json"), "utf8"))).toEqual({
    mine: { a: [1] },
    react_every: 60,
    show_in_harness: true,
  });
  expect(readdirSync(folder)).toEqual(["config.json"]);
});

test("--unset takes the key out again", async () => {
  const folder = home(`{"react_every": 60, "mine": 1}`);
  expect((await moth(["config", "--unset", "react_every"], { MOTH_HOME: folder })).io.out()).toBe(
    "react_every is 120 (default)\n",
  );
  expect(JSON.parse(readFileSync(join(folder, "config.json"), "utf8"))).toEqual({ mine: 1 });
});

test("a broken file is refused and left as it is", async () => {
  const folder = home(`{ "react_every": 60, // mine\n}`);
  const { code, io } = await moth(["config", "react_every", "30"], { MOTH_HOME: folder });
  expect(code).toBe(1);
  expect(io.err()).toMatch(/config\.json is not valid JSON .*, so nothing was written\n {6}Mend it/);
  expect(readFileSync(join(folder, "config.json"), "utf8")).toBe(`{ "react_every": 60, // mine\n}`);
});

test("a link stays a link, and its file keeps its mode", async () => {
  const folder = home();
  const dotfiles = tempFolder();
  writeFileSync(join(dotfiles, "moth.json"), "{}");
  chmodSync(join(dotfiles, "moth.json"), 0o640);
  symlinkSync(join(dotfiles, "moth.json"), join(folder, "config.json"));
  await moth(["config", "port", "5000"], { MOTH_HOME: folder });
  expect(lstatSync(join(folder, "config.json")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dotfiles, "moth.json"), "utf8")).toBe(`{\n  "port": 5000\n}\n`);
  expect(statSync(join(dotfiles, "moth.json")).mode & 0o777).toBe(0o640);
});

test("a folder in the way is an error with its name, not a bug", async () => {
  const folder = home();
  mkdirSync(join(folder, "config.json"));
  const { code, io } = await moth(["config", "port", "5000"], { MOTH_HOME: folder });
  expect(code).toBe(1);
  expect(io.err()).toMatch(/^moth: .*config\.json cannot be read \(EISDIR\), so nothing was written/);
});

test("a value that the environment beats is written, and that is said", async () => {
  const { io } = await moth(["config", "react_every", "30"], { MOTH_HOME: home(), MOTH_REACT_EVERY: "20" });
  expect(io.out()).toBe(
    "react_every is 20 (MOTH_REACT_EVERY)\n30 is written down, but MOTH_REACT_EVERY beats it as long as it is set.\n",
  );
});

test("away is for who has answers on, and says so", async () => {
  const env = { MOTH_HOME: home() };
  const refused = await moth(["config", "away", "on"], env);
  expect(refused.code).toBe(2);
  expect(refused.io.err()).toContain("moth config answers on");
  expect(readSettings(env).values.away).toBe(false);
  expect((await moth(["config", "away", "off"], env)).code).toBe(0);
  await moth(["config", "answers", "on"], env);
  const on = await moth(["config", "away", "yes"], env);
  expect([on.code, on.io.out()]).toEqual([0, expect.stringMatching(/^away is on .*moth config away off/s)]);
  expect((await moth(["config", "away", "on"], { ...env, MOTH_CONTENT: "off" })).io.err()).toContain("moth config content on");
});
