/** Gives events to the built plugin in a dsh of our own, which then ends. */
import { join } from "node:path";
import { type Ran, readRecording, runHost, type RunOptions } from "../../core/test/host.ts";

const root = join(import.meta.dirname, "..");
export const PLUGIN: string = join(root, "dist", "moth.mjs");

/** An event as dsh gives it to a plugin; or milliseconds in which nothing happens, or a file that is written anew. */
export type Recorded =
  | { on: "session/event" | "session/disposed"; session: { id: string; header: object; events?: object[] }; event?: object }
  | { wait: number }
  | { write: { file: string; text: string } };

/** Events as the real dsh gave them. */
export const recording = (name: string): Recorded[] => readRecording(join(root, "fixtures", `${name}.jsonl`));

interface About {
  exports: string[];
  /** The events it listens to. */
  hooks: string[];
  /** What it took of dsh's web server, and what it kept when dsh ended. */
  taken: string[];
  left: string[];
}

interface Options extends RunOptions {
  hostile?: boolean;
  broken?: boolean;
  /** With a web server, as in the web profile. */
  page?: boolean;
}

export function run(
  events: readonly Recorded[],
  url: string,
  { hostile = false, broken = false, page = false, ...options }: Options = {},
): Promise<Ran & About> {
  return runHost<About>(join(import.meta.dirname, "host.mjs"), { plugin: PLUGIN, events, hostile, broken, page }, url, options);
}
