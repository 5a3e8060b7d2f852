import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempHome } from "../test/support.ts";
import { ServerError } from "./errors.ts";
import { ensureToken } from "./token-file.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const isPosix = process.platform !== "win32";

test("the first server makes the folder and the token, for the person alone", () => {
  const home = join(tempHome(), "deep", "moth");
  const token = ensureToken({ MOTH_HOME: home });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(join(home, "token"), "utf8")).toBe(`${token}\n`);
  if (isPosix) expect([modeOf(home), modeOf(join(home, "token"))]).toEqual([0o700, 0o600]);
});

test("the next server takes the token that is there", () => {
  const env = { MOTH_HOME: tempHome() };
  expect(ensureToken(env)).toBe(ensureToken(env));
});

test("a token in a file of its own is made there", () => {
  const home = tempHome();
  const file = join(home, "secrets", "moth-token");
  const token = ensureToken({ MOTH_HOME: home, MOTH_TOKEN_FILE: file });
  expect(readFileSync(file, "utf8").trim()).toBe(token);
  expect(existsSync(join(home, "token"))).toBe(false);
});

test.runIf(isPosix)("a loose folder and a loose token are tightened", () => {
  const home = tempHome();
  writeFileSync(join(home, "token"), "0123456789abcdef0123");
  chmodSync(join(home, "token"), 0o644);
  chmodSync(home, 0o755);
  expect(ensureToken({ MOTH_HOME: home })).toBe("0123456789abcdef0123");
  expect([modeOf(home), modeOf(join(home, "token"))]).toEqual([0o700, 0o600]);
});

test.each<[string, (home: string) => void, string]>([
  ["a symbolic link", (home) => symlinkSync("/etc/hostname", join(home, "token")), "TOKEN"],
  ["a dangling link", (home) => symlinkSync("nowhere", join(home, "token")), "TOKEN"],
  ["a folder", (home) => mkdirSync(join(home, "token")), "TOKEN"],
  ["a file of spaces and words", (home) => writeFileSync(join(home, "token"), "not a token at all"), "TOKEN"],
])("%s in the token's place is refused, and told where it is", (_, make, code) => {
  const home = tempHome();
  make(home);
  const failure = catchError(() => ensureToken({ MOTH_HOME: home }));
  expect(failure).toMatchObject({ code, message: expect.stringContaining(join(home, "token")) });
});

test("an empty file, which a start that was killed has left, is filled", () => {
  const env = { MOTH_HOME: tempHome() };
  writeFileSync(join(env.MOTH_HOME, "token"), "");
  const token = ensureToken(env);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(join(env.MOTH_HOME, "token"), "utf8")).toBe(`${token}\n`);
});

test.runIf(isPosix)("where nothing can be written nothing is left behind, and with room again there is a token", () => {
  const home = tempHome();
  const program = `import { ensureToken } from ${JSON.stringify(join(import.meta.dirname, "token-file.ts"))};
    ensureToken({ MOTH_HOME: ${JSON.stringify(home)} });`;
  const args = ["--conditions=moth-src", "--input-type=module", "-e", program];
  const full = spawnSync("sh", ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath, ...args], { encoding: "utf8" });
  expect(full.stderr).toContain("cannot be written (EFBIG)");
  expect(existsSync(join(home, "token"))).toBe(false);
  expect(ensureToken({ MOTH_HOME: home })).toMatch(/^[\w-]{43}$/);
});

test("a file in the folder's place is refused", () => {
  const home = join(tempHome(), "file");
  writeFileSync(home, "");
  expect(catchError(() => ensureToken({ MOTH_HOME: home }))).toMatchObject({ code: "HOME" });
  expect(catchError(() => ensureToken({ MOTH_HOME: join(home, "below") }))).toMatchObject({ code: "HOME" });
});

test.runIf(isPosix && process.getuid?.() === 0)("a token that belongs to another user is refused", async () => {
  const { chownSync } = await import("node:fs");
  const home = tempHome();
  writeFileSync(join(home, "token"), "0123456789abcdef0123");
  chownSync(join(home, "token"), 12_345, 12_345);
  expect(catchError(() => ensureToken({ MOTH_HOME: home }))).toMatchObject({
    code: "TOKEN",
    message: expect.stringContaining("another user"),
  });
});

test("servers that start at the same moment end up with one token", async () => {
  const home = tempHome();
  const program = `import { ensureToken } from ${JSON.stringify(join(import.meta.dirname, "token-file.ts"))};
    process.stdout.write(ensureToken({ MOTH_HOME: ${JSON.stringify(home)} }));`;
  const run = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ["--conditions=moth-src", "--input-type=module", "-e", program]);
      let out = "";
      let err = "";
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
      child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(err))));
    });
  const tokens = await Promise.all([run(), run(), run(), run()]);
  expect(new Set(tokens)).toEqual(new Set([readFileSync(join(home, "token"), "utf8").trim()]));
});

function catchError(fn: () => unknown): ServerError {
  try {
    fn();
  } catch (error) {
    if (error instanceof ServerError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}
