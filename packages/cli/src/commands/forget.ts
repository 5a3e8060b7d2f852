import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { readRunRecords } from "@moth-companion/core/run-records";
import { busy, createClient, type Probe, probe } from "../client.ts";
import { autostartFiles, turnOff } from "../autostart/autostart.ts";
import { thisMoth } from "../autostart/this-moth.ts";
import { reloadUserManager } from "../autostart/user-manager.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { planWipe, wipe } from "../forget/wipe.ts";
import { isHooked, reportHooks } from "../hook-report.ts";
import { confirm } from "../installer/confirm.ts";
import { type Io, print, styleOf, warn } from "../io.ts";
import { commandName } from "../self.ts";
import { addressOf, isOf } from "../up/others.ts";

export const forget: Command = command({
  args: {
    all: { type: "boolean", description: "not only the logs: everything moth wrote in its folder, and its autostart" },
    token: { type: "boolean", description: "with --all: the token and the settings too" },
    yes: { type: "boolean", alias: "y", description: "do not ask" },
  },
  notes: [
    "While moth runs it forgets the conversation, the roster and its last lines, and no file is deleted.",
    "Otherwise its logs, and the roster that it leaves to the next moth, are deleted: it shows which, and asks.",
    "Hook programs stay as long as a harness calls them.",
  ],
  async run(args, io) {
    if (args.token && !args.all) throw new Failure("USAGE", "--token goes with --all", "Write moth forget --all --token");
    if (await forgetRunning(args.all ?? false, io)) return EXIT.ok;
    await requireStopped(io);
    const hooked = (await reportHooks(io.env)).some(isHooked) || hasNotes(io.env);
    const scope = { all: args.all ?? false, token: args.token ?? false, hooked };
    const plan = planWipe(io.env, scope);
    // Outside moth's folder: it would start a moth that is to be gone.
    const started = args.all ? autostartFiles(thisMoth(io.env)) : [];
    const files = [...started, ...plan.files];
    if (files.length > 0 && !args.yes) {
      print(io, ...files.map((path) => `delete  ${path}`), "");
      const count = files.length === 1 ? "this file" : `these ${files.length} files`;
      if (!(await confirm(`Delete ${count}?`, { what: "deletes files", next: "Add --yes to delete them" }, io))) {
        print(io, "Nothing was deleted.");
        return EXIT.failure;
      }
      // A question can stand for hours.
      await requireStopped(io);
    }
    const { deleted, left } = wipe(io.env, scope, plan);
    if (started.length > 0) {
      deleted.unshift(...turnOff(thisMoth(io.env)));
      reloadUserManager(io.env);
    }
    print(
      io,
      ...deleted.map((path) => `deleted ${path}`),
      ...left.map(({ path, why }) => styleOf(io).dim(`left    ${path} (${why})`)),
    );
    if (deleted.length === 0) print(io, "There was nothing to delete.");
    return EXIT.ok;
  },
});

/** @returns whether the person's own moth runs and forgot. What else holds the port is left alone, and that is said. */
async function forgetRunning(all: boolean, io: Io): Promise<boolean> {
  const found = await probe(io.env);
  if (found.found === "nothing") return false;
  if (found.found === "busy") throw busy(found.url);
  try {
    if (found.found === "other") throw new Failure("NOT_MOTH", found.what);
    await createClient(io.env).reset(true);
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== "TOKEN" && error.code !== "NOT_MOTH")) throw error;
    const what = found.found === "moth" ? `a moth that is not yours (process ${found.health.pid})` : `no moth (${found.what})`;
    // One of this folder that refuses the token is yours for all that; requireStopped says so.
    if (!isRecorded(found, io.env)) warn(io, `moth: what holds ${found.url} is ${what}; it is left alone.`);
    return false;
  }
  const self = commandName(io.env);
  print(io, "moth forgot the conversation, the roster and its last lines. It is still running, so no file was deleted.");
  if (all) print(io, `To delete its files: ${self} stop, then ${self} forget --all`);
  return true;
}

function isRecorded(found: Probe, env: Env): boolean {
  return found.found === "moth" && readRunRecords(env).some(({ pid }) => pid === found.health.pid);
}

/** Whether moth noted a hook in a file that is still there: a project's settings are found in no other way. */
function hasNotes(env: Env): boolean {
  try {
    const notes: unknown = JSON.parse(readFileSync(join(mothHome(env), "hooks.json"), "utf8"));
    return typeof notes === "object" && notes !== null && Object.keys(notes).some((file) => existsSync(file));
  } catch {
    return false;
  }
}

/** A moth of this folder on another port still writes in it. */
async function requireStopped(io: Io): Promise<void> {
  for (const record of readRunRecords(io.env)) {
    const found = await probe(io.env, addressOf(record));
    if (!isOf(record, found, io.env)) continue;
    throw new Failure(
      "FAILED",
      `a moth of this folder still runs at ${found.url} (process ${record.pid})`,
      `Stop it first: ${commandName(io.env)} stop --port ${record.port}`,
    );
  }
}
