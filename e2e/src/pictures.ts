import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Keeps a terminal's screen as text in the folder that `MOTH_E2E_PICTURES` names; without it, nothing. So the pictures in the docs
 * come from real turns of real harnesses, and are made anew with one run.
 */
export function keepPicture(name: string, screen: string): void {
  const folder = process.env["MOTH_E2E_PICTURES"];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const lines = screen.split("\n").map((line) => line.trimEnd());
  writeFileSync(join(folder, `${name}.txt`), `${lines.join("\n").replace(/\n+$/, "")}\n`);
}
