// Builds every package that changed. Silent when all went well; turbo's telemetry stays off, since nothing of moth calls anybody.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const { status, stdout, stderr, error } = spawnSync("turbo", ["run", "build", "--output-logs=errors-only"], {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  maxBuffer: 64 << 20,
  shell: process.platform === "win32",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
});
if (status !== 0) {
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}\nThe build failed, see above.\n`);
  process.exitCode = 1;
}
