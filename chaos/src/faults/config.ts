import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answersOn, mothAddress, readConfig, showInHarness } from "@moth-companion/core/config";
import type { Fault } from "../fault.ts";
import { createMachine, end, isForPerson } from "../moth.ts";
import type { Random } from "../random.ts";

const WHOLE = JSON.stringify(
  {
    show_in_harness: true,
    answers: false,
    react_every: 5,
    notify: true,
    "notify.by": "command",
    "notify.command": ["true", "a b"],
    "notify.quiet": "22:00-07:00",
    voice: "builtin",
    "voice.url": "http://127.0.0.1:9/v1",
    port: 4747,
    host: "127.0.0.1",
    "someone else's": { nested: [1, null, "\u00e9 \ud83d\udca5"] },
  },
  null,
  2,
);

export const config: Fault = {
  name: "the settings broken at every byte",
  async run(trial) {
    const machine = await createMachine(trial);
    const file = join(machine.folder, "config.json");
    const running = await machine.up();
    const bytes = Buffer.from(WHOLE);
    let tried = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const broken of brokenAt(trial.random, bytes, at)) {
        tried++;
        writeFileSync(file, broken);
        trial.claim("no adapter is hurt by it", adaptersRead(file), show(broken));
      }
    }
    const sampled = trial.short ? 5 : 60;
    for (let times = 0; times < sampled; times++) {
      const broken = trial.random.pick(brokenAt(trial.random, bytes, trial.random.int(0, bytes.length - 1)));
      for (const args of trial.random.pick([[["config"], ["doctor"]], [["ps"], ["status"]], [["config", "react_every", "9"]]])) {
        writeFileSync(file, broken);
        const { code, said } = await machine.moth(...args);
        const isSaid = code !== null && code <= 3 && isForPerson(said);
        trial.claim(
          "commands go on, or say what is wrong",
          isSaid,
          `${args.join(" ")} on ${show(broken)} ended with ${code}: ${said}`,
        );
        const kept = args.length === 3 && code === 0 ? isWhole(readFileSync(file)) : readFileSync(file).equals(broken);
        trial.claim("what cannot be read is never written over", kept, `${args.join(" ")} on ${show(broken)}`);
      }
    }
    trial.claim("the moth that runs goes on", (await machine.health()) === running.pid, running.said());
    await end(running);
    for (let times = 0; times < (trial.short ? 2 : 20); times++) {
      writeFileSync(file, trial.random.pick(brokenAt(trial.random, bytes, trial.random.int(0, bytes.length - 1))));
      const { code, said } = await end(await machine.up());
      trial.claim("moth starts with what it can read", code === 0 && isForPerson(said), said);
    }
    return `${tried} in ${bytes.length} places`;
  },
};

/** Cut off here, one byte another, one missing, one twice. */
function brokenAt(random: Random, whole: Buffer, at: number): Buffer[] {
  const [before, after] = [whole.subarray(0, at), whole.subarray(at + 1)];
  const other = Buffer.from([random.int(0, 255)]);
  return [
    before,
    Buffer.concat([before, other, after]),
    Buffer.concat([before, after]),
    Buffer.concat([before, whole.subarray(at, at + 1), whole.subarray(at)]),
  ];
}

/** What adapters ask for at every event: an answer of the right kind, and nothing thrown. */
function adaptersRead(file: string): boolean {
  const env = { HOME: "/nowhere", MOTH_CONFIG_FILE: file };
  const address = mothAddress(env);
  return (
    typeof readConfig(env).ok === "boolean" &&
    typeof answersOn(env) === "boolean" &&
    typeof showInHarness(env).value === "boolean" &&
    address !== undefined &&
    address.host !== "" &&
    address.port > 0 &&
    address.port < 65_536
  );
}

function isWhole(bytes: Buffer): boolean {
  try {
    return typeof JSON.parse(bytes.toString()) === "object";
  } catch {
    return false;
  }
}

function show(broken: Buffer): string {
  return JSON.stringify(broken.subarray(-80).toString("latin1"));
}
