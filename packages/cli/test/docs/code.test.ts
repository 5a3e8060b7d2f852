import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkArgs, wantsHelp } from "../../src/args.ts";
import { COMMANDS, isCommand } from "../../src/commands/index.ts";
import { tempFolder } from "../support/io.ts";
import { documents } from "./markdown.ts";

const all = documents();
const blocks = all.flatMap(({ name, blocks }) => blocks.map((block) => ({ ...block, at: `${name}:${block.line}` })));
/** Blocks whose language is not said hold commands, or what they print. */
const SHELL = new Set(["", "bash", "sh"]);

test("every language of a block is one that is looked at", () => {
  const known = new Set([...SHELL, "json", "js"]);
  expect(blocks.filter(({ language }) => !known.has(language)).map(({ at, language }) => `${at} ${language}`)).toEqual([]);
});

test("every moth command in a block is one that moth takes, with its flags and operands", async () => {
  const lines = blocks
    .filter(({ language }) => SHELL.has(language))
    .flatMap(({ at, text }) => text.split("\n").flatMap((line) => callsIn(line).map((words) => ({ at, words }))));
  expect(lines.length).toBeGreaterThan(20);
  expect(await refused(lines)).toEqual([]);
});

test("every moth command in running text is one that moth takes", async () => {
  const spans = all
    .filter(({ name }) => !name.includes("fixtures/"))
    .flatMap(({ name, spans }) =>
      spans.flatMap(({ line, text }) => callsIn(text).map((words) => ({ at: `${name}:${line}`, words }))),
    );
  expect(spans.length).toBeGreaterThan(100);
  expect(await refused(spans)).toEqual([]);
});

test("every JSON block is JSON", () => {
  const broken = blocks.filter(({ language, text }) => language === "json" && !isJson(text));
  expect(broken.map(({ at }) => at)).toEqual([]);
});

test("every script in a block is one that its interpreter can read", () => {
  const folder = tempFolder();
  const scripts = blocks.filter(({ language }) => language === "js" || language === "bash");
  const broken = scripts.flatMap(({ language, text, at }) => {
    const file = join(folder, language === "js" ? "block.mjs" : "block.sh");
    writeFileSync(file, text);
    const [program, flag] = language === "js" ? [process.execPath, "--check"] : ["bash", "-n"];
    const { status, stderr } = spawnSync(program, [flag, file], { encoding: "utf8" });
    return status === 0 ? [] : [`${at}: ${stderr}`];
  });
  expect(broken).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What moth says, and not what is said to it. */
const SAID = new Set(["moth is asleep"]);

/** The calls of moth in a line, each as its words behind `moth`. */
function callsIn(line: string): string[][] {
  const text = line.replace(/\s#\s.*$/, "").replace(/\[-[^\]]*\]/g, "");
  // What stands in columns is a command's output.
  if (SAID.has(text) || /\S {3,}\S/.test(text)) return [];
  const tokens = [...text.matchAll(/"[^"]*"|'[^']*'|[$<]\(|[;&|]+(?= )|[^\s)"']+|\)/g)].map(([token]) => token);
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if (/^(?:[$<]\(|[;&|]+|\)|\$)$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replace(/^["']|["']$/g, ""));
  }
  return commands.flatMap((words) => {
    const start = words[0] === "npx" ? 1 : 0;
    return words[start] === "moth" && words.length > start + 1 ? [words.slice(start + 1)] : [];
  });
}

async function refused(calls: readonly { at: string; words: string[] }[]): Promise<string[]> {
  const why = calls.map(async ({ at, words }) => {
    const said = `${at} moth ${words.join(" ")}`;
    const [name = "", ...rest] = words;
    if (name.startsWith("-") || name === "<command>") return undefined;
    if (!isCommand(name)) return `${said}: no such command`;
    const { args, maxOperands } = await COMMANDS[name].load();
    const end = rest.findIndex((word) => /^[<>[(]?[<>]$|^2?>/.test(word));
    const given = (end < 0 ? rest : rest.slice(0, end)).filter((word) => !word.startsWith("[") && word !== "…");
    if (wantsHelp(given)) return undefined;
    try {
      checkArgs(given, { args, maxOperands });
      return undefined;
    } catch (error) {
      return `${said}: ${(error as Error).message}`;
    }
  });
  return (await Promise.all(why)).filter((one) => one !== undefined);
}
