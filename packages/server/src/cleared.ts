/** Whether somebody has cleared the folder in which others find moth, while it runs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env, mothHome } from "@moth-companion/core/paths";
import { pipeFile } from "@moth-companion/core/pipe";
import type { Clock } from "./clock.ts";
import { runFolder } from "./files.ts";

const LOOK_MS = 5000;

/**
 * Looks every few seconds whether what is there now, the run record and the pipe, still is: without them no report comes in, and no
 * command knows the moth for the person's. Not where all of moth's folder is gone: then it is to stay gone.
 * @param putBack makes them anew; what it throws is tried again
 * @returns the function that ends it
 */
export function whenCleared(
  { port, env, clock }: { port: number; env: Env; clock: Clock },
  putBack: () => Promise<void>,
): () => void {
  const files = [join(runFolder(env), `${port}.json`), pipeFile(port, env)].filter((file) => existsSync(file));
  let cancel: (() => void) | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    try {
      if (existsSync(mothHome(env)) && !files.every((file) => existsSync(file))) await putBack();
    } catch {
      // A full disk, perhaps. The next look is soon.
    }
    if (!isOver) cancel = clock.after(LOOK_MS, () => void look());
  };
  cancel = clock.after(LOOK_MS, () => void look());
  return () => {
    isOver = true;
    cancel?.();
  };
}
