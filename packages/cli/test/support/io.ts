import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/io.ts";

/** An Io whose output is text. */
export interface TestIo extends Io {
  out(): string;
  err(): string;
}

export interface TestIoOptions {
  env?: Record<string, string>;
  now?: number;
  /** Width of a terminal; without it there is none. */
  columns?: number;
}

export function createTestIo(options: TestIoOptions = {}): TestIo {
  let out = "";
  let err = "";
  const terminal =
    options.columns === undefined ? { isTTY: false } : { isTTY: true, columns: options.columns, getColorDepth: () => 1 };
  return {
    env: { HOME: tempFolder(), ...options.env },
    stdin: { isTTY: false } as NodeJS.ReadStream,
    stdout: { ...terminal, write: (text: string) => ((out += text), true) } as unknown as NodeJS.WriteStream,
    stderr: { write: (text: string) => ((err += text), true) } as unknown as NodeJS.WriteStream,
    now: () => options.now ?? Date.now(),
    out: () => out,
    err: () => err,
  };
}

/** A fresh folder, gone with the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "moth-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
