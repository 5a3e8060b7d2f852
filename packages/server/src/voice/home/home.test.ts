import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempHome } from "../../../test/support.ts";
import { createHome, type Home, MAX_FOLDER } from "./home.ts";

function made(): { home: Home; root: string; folder: string } {
  const root = tempHome();
  return {
    home: createHome({ MOTH_HOME: root }, () => new Date(2026, 10, 30, 9, 5).getTime()),
    root,
    folder: join(root, "home"),
  };
}

/** A home with a folder, as after a first note. */
function lived(): ReturnType<typeof made> {
  const parts = made();
  parts.home.write("first.md", "one");
  return parts;
}

const mode = (path: string): number => statSync(path).mode & 0o777;
const posix = process.platform !== "win32";

test("a note is written whole, read back, replaced and removed", () => {
  const { home, folder } = made();
  expect(home.names()).toEqual([]);
  expect(home.write("Likes", "tea")).toEqual({ file: "likes.md", did: "replaced" });
  home.write("likes.md", "tea, no sugar");
  expect(home.read("LIKES.md")).toBe("tea, no sugar\n");
  expect(home.names()).toEqual(["likes.md"]);
  expect(home.write("likes.md", " \n")).toEqual({ file: "likes.md", did: "removed" });
  expect(readdirSync(folder)).toEqual([".made-by-moth"]);
});

test("the diary grows by dated entries and is not taken apart", () => {
  const { home } = made();
  expect(home.write("diary.md", "rain.")).toEqual({ file: "diary.md", did: "added" });
  home.write("diary.md", "sun.");
  expect(home.read("diary.md")).toBe("2026-11-30 09:05\nrain.\n\n2026-11-30 09:05\nsun.\n");
  expect(() => home.write("diary.md", "")).toThrow("An entry needs words");
});

test.skipIf(!posix)("folder and files are for the person alone, and a loose folder is closed", () => {
  const { home, folder } = lived();
  expect([mode(folder), mode(join(folder, "first.md"))]).toEqual([0o700, 0o600]);
  chmodSync(folder, 0o755);
  home.read("first.md");
  expect(mode(folder)).toBe(0o700);
});

test("a folder by that name that moth did not make is the person's own", () => {
  const { home, folder } = made();
  mkdirSync(folder);
  writeFileSync(join(folder, "likes.md"), "my own");
  expect(() => home.read("likes.md")).toThrow("Your home cannot be used.");
  expect(() => home.write("likes.md", "tea")).toThrow("Your home cannot be used.");
  expect(home.names()).toEqual([]);
  expect([readdirSync(folder), readFileSync(join(folder, "likes.md"), "utf8")]).toEqual([["likes.md"], "my own"]);
});

test("nothing is made before something is written", () => {
  const { home, folder } = made();
  expect(() => home.read("a.md")).toThrow("There is no a.md yet.");
  expect(() => home.write("../a.md", "x")).toThrow("A name is letters");
  expect(existsSync(folder)).toBe(false);
});

describe("what reaches outside is refused, and what is there stays", () => {
  test.each(["../token", "..\\token", "/etc/passwd", "token\u0000.md", "C:\\token.md", "NUL.md", "\\\\h\\s\\a.md", "home/a.md"])(
    "%j",
    (name) => {
      const { home, root } = lived();
      writeFileSync(join(root, "token"), "secret");
      expect(() => home.read(name)).toThrow("A name is letters");
      expect(() => home.write(name, "mine")).toThrow("A name is letters");
      expect(readFileSync(join(root, "token"), "utf8")).toBe("secret");
      expect(readdirSync(root).sort()).toEqual(["home", "token"]);
    },
  );

  test.skipIf(!posix)("a link in the folder", () => {
    const { home, root, folder } = lived();
    writeFileSync(join(root, "token"), "secret");
    symlinkSync(join(root, "token"), join(folder, "soft.md"));
    symlinkSync(join(root, "nowhere"), join(folder, "dead.md"));
    linkSync(join(root, "token"), join(folder, "hard.md"));
    for (const name of ["soft.md", "hard.md", "dead.md"]) {
      expect(() => home.read(name)).toThrow(`${name} is no plain file.`);
      expect(() => home.write(name, "mine")).toThrow(`${name} is no plain file.`);
      expect(() => home.write(name, "")).toThrow(`${name} is no plain file.`);
    }
    expect(home.names()).toEqual(["first.md"]);
    expect(readFileSync(join(root, "token"), "utf8")).toBe("secret");
    expect(existsSync(join(root, "nowhere"))).toBe(false);
  });

  test.skipIf(!posix)("a folder that is a link, or none", () => {
    const { home, root, folder } = made();
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), folder);
    expect(() => home.write("a.md", "x")).toThrow("Your home cannot be used.");
    expect(() => home.read("a.md")).toThrow("Your home cannot be used.");
    expect([home.names(), readdirSync(join(root, "elsewhere"))]).toEqual([[], []]);
    const other = made();
    writeFileSync(other.folder, "a file");
    expect(() => other.home.write("a.md", "x")).toThrow("Your home cannot be used.");
  });

  test("a folder by a note's name", () => {
    const { home, folder } = lived();
    mkdirSync(join(folder, "sub.md"));
    expect(() => home.read("sub.md")).toThrow("no plain file");
    expect(() => home.write("sub.md", "x")).toThrow("no plain file");
  });
});

test("the folder never has more than 1 MB, whatever is tried, nor more than 64 files", () => {
  const { home, folder } = made();
  const size = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  let refusal = "";
  for (let index = 0; index < 200; index += 1) {
    try {
      home.write(`n${index % 100}.md`, "x".repeat(32_000));
    } catch (error) {
      refusal = (error as Error).message;
    }
    expect(size()).toBeLessThanOrEqual(MAX_FOLDER);
  }
  expect(refusal).toMatch("Your home is full.");
  home.write("n1.md", "");
  home.write("fresh.md", "x".repeat(30_000));
  for (let index = 0; index < 100; index += 1)
    expect(() => home.write("diary.md", "x".repeat(32_000))).toThrow("Your home is full.");
  expect(() => home.write("big.md", "x".repeat(33_000))).toThrow("That is too long: 32 KB at most.");

  const many = made();
  for (let index = 0; index < 64; index += 1) many.home.write(`n${index}.md`, "x");
  expect(() => many.home.write("more.md", "x")).toThrow("64 files already");
});

test("only text is kept and given: no control characters, and what is no text is refused", () => {
  const { home, folder } = lived();
  home.write("a.md", "red \u001b[31mink\u0007\r\nnext\tline");
  expect(home.read("a.md")).toBe("red ink\nnext\tline\n");
  writeFileSync(join(folder, "b.md"), Buffer.from([0xff, 0xfe, 0x00, 0x41]));
  expect(() => home.read("b.md")).toThrow("b.md is no text.");
});

test("of a long file a model sees the beginning, of the diary the end", () => {
  const { home, folder } = lived();
  writeFileSync(join(folder, "a.md"), `begin ${"é".repeat(100_000)}`);
  expect(home.read("a.md")).toMatch(/^begin é{3994}…$/);
  writeFileSync(join(folder, "diary.md"), `${"x".repeat(9000)} end`);
  expect(home.read("diary.md")).toMatch(/^…x{3996} end$/);
});

test.skipIf(!posix || process.getuid?.() === 0)("what the system refuses is told without a path", () => {
  const { home, folder } = lived();
  chmodSync(folder, 0o500);
  expect(() => home.write("a.md", "x")).toThrow(/^That cannot be done now \(EACCES\)\.$/);
  chmodSync(folder, 0o700);
});
