import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InstallOptions } from "../src/types.ts";
import { makeTestHome, type TestHome } from "./test-home.ts";

/** A home in which a fake Codex answers what moth asks it: which hooks it knows and trusts. Only POSIX systems run it. */
export function makeCodexHome(): { home: TestHome; options: InstallOptions } {
  const home = makeTestHome();
  const path = [home.at("bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  mkdirSync(home.at("bin"));
  copyFileSync(join(import.meta.dirname, "..", "src", "codex", "fixtures", "fake-codex.mjs"), home.at("bin/codex"));
  chmodSync(home.at("bin/codex"), 0o755);
  return { home, options: { ...home.options, env: { ...home.options.env, CODEX_HOME: home.at(".codex"), PATH: path } } };
}
