/** Starts the program that moth's hook stands in front of, as the harness would have: apart from it, with nothing to read or write. */
export async function passOn([program, ...args]: readonly string[]): Promise<void> {
  // The event alone: there is no such program.
  if (program === undefined || args.length === 0) return;
  // Only here: loading it costs a millisecond.
  const { spawn } = await import("node:child_process");
  const child = spawn(program, args, { detached: true, stdio: "ignore", windowsHide: true });
  child.on("error", () => {});
  child.unref();
}
