/** The variable by which the later process has the event. Others of this machine cannot read it, as they could an argument. */
export const EVENT_VARIABLE = "MOTH_EVENT";

/** UTF-16 units of an event that is handed on, at most: Windows takes no more of all variables together. */
const MAX_EVENT = 16_384;

/** Has an event read once more by a process that outlives this one. One that is too long for that is left. */
export async function readLater(harness: string, event: unknown): Promise<void> {
  const program = process.argv[1];
  const text = JSON.stringify(event);
  if (program === undefined || text.length > MAX_EVENT) return;
  // Only here: loading it costs a millisecond.
  const { spawn } = await import("node:child_process");
  // By a variable: a pipe to its stdin would cost two milliseconds more.
  const env = { ...process.env, [EVENT_VARIABLE]: text };
  const child = spawn(process.execPath, [program, harness, "later"], { detached: true, stdio: "ignore", windowsHide: true, env });
  child.on("error", () => {});
  child.unref();
}
