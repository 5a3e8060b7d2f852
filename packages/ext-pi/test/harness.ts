/** Gives events to the built extension in a harness of our own. */
import { join } from "node:path";
import { type Ran, readRecording, runHost, type RunOptions } from "../../core/test/host.ts";

const root = join(import.meta.dirname, "..");
export const EXTENSION: string = join(root, "dist", "moth.js");

/** An event as the harness gave it to an extension, and what mattered of its context; or what is none of the harness's. */
export type Given = Recorded | { write: { file: string; text: string } };

export interface Recorded {
  /** Which of the process's agents it was given to. */
  agent: number;
  event: string;
  payload: Record<string, unknown>;
  context: { session: string; cwd: string; hasUI: boolean; tools?: string[]; jobs?: { running: { type: string }[] } };
}

/** Events as a real harness gave them. */
export const recording = (name: string): Recorded[] => readRecording(join(root, "fixtures", `${name}.jsonl`));

interface About {
  exports: string[];
  /** The events it listens to. */
  hooks: string[];
  /** The commands it brought, and what it drew above the editor. */
  commands: string[];
  drawn: string[][];
  /** What the extension function returned. */
  factory: unknown;
  mark: string | null;
}

interface Options extends RunOptions {
  omp?: boolean;
  hostile?: boolean;
}

export function run(
  events: readonly Given[],
  url: string,
  { omp = false, hostile = false, ...options }: Options = {},
): Promise<Ran & About> {
  return runHost<About>(join(import.meta.dirname, "host.mjs"), { extension: EXTENSION, omp, events, hostile }, url, options);
}
