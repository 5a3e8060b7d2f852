// Brings what the other scripts need into node_modules, on a machine that has only Node and npm. Does nothing when all is there.
// Plain JavaScript that old Nodes can read: it is the first thing that runs, and must be able to say what is missing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".moth-setup");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

if (major(process.version) < 20) {
  fail(
    `moth needs Node 20 or newer, this is ${process.version}. Get a newer one from your system or nodejs.org, then try again.`,
  );
}

const wanted = fingerprint();
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  say("moth: installing what is missing into node_modules (the first time takes about half a minute)");
  const installed = install();
  if (installed.status !== 0) {
    process.stderr.write(installed.output);
    fail("moth: the install failed, see above. Running the command again continues where it stopped.");
  }
  writeFileSync(stamp, wanted);
  checkTools();
}

/** What decides whether an install is current: the lock file, the manifests, and the system the binaries are for. */
function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  const folders = ["", "e2e", "bench", "chaos", ...readdirSync(join(root, "packages")).map((name) => join("packages", name))];
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...folders.map((folder) => join(folder, "package.json"))]) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function install() {
  const pnpm = manifest.packageManager;
  // Through npm's own program where npm started us: it needs no shell, on Windows too.
  const npm = process.env.npm_execpath;
  const [command, args, shell] = npm?.endsWith(".js")
    ? [process.execPath, [npm, "exec", "--yes", "--", pnpm], false]
    : ["npx", ["--yes", pnpm], process.platform === "win32"];
  const run = spawnSync(command, [...args, "install", "--frozen-lockfile"], {
    cwd: root,
    shell,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    // pnpm asks before it replaces a node_modules made by something else; nobody may be there to answer.
    env: { ...process.env, CI: "true" },
  });
  return { status: run.status ?? 1, output: `${run.stdout ?? ""}${run.stderr ?? ""}${run.error ? `${run.error}\n` : ""}` };
}

/** The build and test tools need a newer Node than moth itself; an optional dependency brings one where there is one for this system. */
function checkTools() {
  const bin = join(root, "node_modules", ".bin", "node");
  const found = spawnSync(existsSync(bin) ? bin : process.execPath, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
  if (major(found) < 22) {
    fail(
      `moth: building and testing needs Node 22.12 or newer, here is ${found || "none"}, and npm had none for this system. Install Node 24, then try again.`,
    );
  }
}

function major(version) {
  return Number(/^v?(\d+)/.exec(version)?.[1] ?? 0);
}
function say(text) {
  process.stderr.write(`${text}\n`);
}
function fail(text) {
  say(text);
  process.exit(1);
}
