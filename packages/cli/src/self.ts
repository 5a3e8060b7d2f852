import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Env } from "@moth-companion/core/paths";
import { Failure } from "./errors.ts";

const require = createRequire(import.meta.url);

/** This program's version. */
export function version(): string {
  return (require("../package.json") as { version: string }).version;
}

/** The program to start moth's command anew with. */
export function binFile(): string {
  return fileURLToPath(new URL("../bin/moth.mjs", import.meta.url));
}

/** How the person calls this command, so that the next step can be copied: in a checkout that is `npx moth`. */
export function commandName(env: Env): string {
  return env["npm_lifecycle_event"] || env["npm_command"] === "exec" ? "npx moth" : "moth";
}

/** The built hook program that `moth hook` copies to moth's folder. */
export function hookProgram(): string {
  return builtFile("@moth-companion/hook/moth-hook.cjs");
}

/** A built file of one of moth's packages, by `package/file`. @throws Failure FILE when it is missing */
export function builtFile(specifier: string): string {
  try {
    return require.resolve(specifier);
  } catch (error) {
    throw new Failure(
      "FILE",
      `a part of moth (${specifier}) is missing from this installation`,
      "Reinstall moth-companion; in a checkout run: npm run build",
      error,
    );
  }
}
