const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Calls `listener` when someone wants this process to end: ctrl-c, `kill`, a closed terminal, ctrl-\\. @returns how to stop listening */
export function onEnding(listener: () => void): () => void {
  for (const signal of ENDINGS) process.on(signal, listener);
  return () => {
    for (const signal of ENDINGS) process.off(signal, listener);
  };
}
