/**
 * What Node is started with: runs the program (`main.ts`, which the build puts beside this file) from what an earlier process compiled
 * of it. Each event is a process of its own, and compiling the program took longer than all that the program does.
 */
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { mothHome } from "@moth-companion/core/paths";
import { keepCompiled } from "./keep-compiled.ts";

const text = readFileSync(`${__dirname}/moth-hook-program.js`, "latin1");
// Of this text and no other: it begins so.
const id = text.slice(2, 14);

const folder = `${mothHome()}/run/compiled`;
// By harness, since each needs other parts of the program; by Node, since none can use another's.
const whose = `${process.argv[2]}.`;
const version = `${whose}${id}.`;
const name = `${version}${encodeURIComponent(`${process.arch}${process.execPath}`)}`;

function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(`${folder}/${name}`);
  } catch {
    // It is the first time.
    return undefined;
  }
}

const cachedData = readCompiled();
// Node looks for itself whether the code is of the very Node that runs, and compiles anew if not.
const script = new Script(text, { filename: "moth-hook-program.cjs", ...(cachedData && { cachedData }) });

function keep(): void {
  if (!cachedData || script.cachedDataRejected) keepCompiled(folder, whose, version, name, script.createCachedData());
}

(script.runInThisContext() as (load: NodeJS.Require, keep: () => void) => void)(require, keep);
