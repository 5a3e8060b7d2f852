// `npm start`: builds what changed, then is moth itself.
import "./build.mjs";

if (!process.exitCode) {
  // npm hands SIGTERM to the shell between us, which ends without passing it on. An orphan takes that for its own end.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 500).unref();
  process.argv.splice(2, 0, "up");
  await import("../packages/cli/bin/moth.mjs");
}
