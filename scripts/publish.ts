/**
 * `node scripts/publish.ts`: packs every package, as `npm run packed` has tried it, and publishes what the registry that npm
 * is set to has not, what others stand on first. A second run after one that was cut off does the rest.
 *
 * `NPM_TOKEN`: the registry's token; without one the registry has to trust the workflow. Run by GitHub, each package also says which
 * repository it came from, and how: npm's provenance.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOwn, type Manifest, packOwn, repacked, type Tarball } from "../e2e/packed/tarballs.ts";

const shell = process.platform === "win32";
const work = mkdtempSync(join(tmpdir(), "moth-release-"));
try {
  await publish();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function publish(): Promise<void> {
  const env = { ...process.env, ...authorization() };
  const [packed, named] = ["packed", "named"].map((name) => join(work, name)) as [string, string];
  for (const folder of [packed, named]) mkdirSync(folder);
  const tarballs = await repacked(await packOwn(packed), named, withRepository);
  for (const { file, manifest } of inOrder(tarballs)) {
    const { name, version } = manifest;
    if (isPublished(name, version)) {
      console.log(`${name}@${version} is published already`);
      continue;
    }
    const tag = /-([a-z]+)/i.exec(version)?.[1] ?? "latest";
    const provenance = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] ? ["--provenance"] : [];
    const args = ["publish", file, "--access", "public", "--tag", tag, ...provenance];
    execFileSync("npm", args, { env, shell, stdio: ["ignore", "inherit", "inherit"] });
    console.log(`${name}@${version} was published`);
  }
}

/** @throws when the registry says anything but that it has it, or has it not */
function isPublished(name: string, version: string): boolean {
  const { stdout, status } = spawnSync("npm", ["view", `${name}@${version}`, "version", "--json"], { encoding: "utf8", shell });
  if (status === 0) return stdout.includes(version);
  if (stdout.includes("E404")) return false;
  throw new Error(`The registry could not be asked for ${name}: ${stdout}`);
}

/** The token reaches npm by its environment alone, for the one registry it is set to. */
function authorization(): Record<string, string> {
  const token = process.env["NPM_TOKEN"];
  if (!token) return {};
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8", shell }).trim();
  return { [`npm_config_${registry.replace(/^https?:/, "").replace(/\/?$/, "/")}:_authToken`]: token };
}

function withRepository(manifest: Manifest): Manifest {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (!server || !repository) return manifest;
  return { ...manifest, repository: { type: "git", url: `git+${server}/${repository}.git` } };
}

/** A package comes after those it depends on. */
function inOrder(tarballs: readonly Tarball[]): Tarball[] {
  const done = new Set<string>();
  const add = (tarball: Tarball): void => {
    for (const name of Object.keys(tarball.manifest.dependencies ?? {}).filter((one) => isOwn(one) && !done.has(one))) {
      const needed = tarballs.find((other) => other.manifest.name === name);
      if (!needed) throw new Error(`${tarball.manifest.name} depends on ${name}, which is not published.`);
      add(needed);
    }
    done.add(tarball.manifest.name);
  };
  for (const tarball of tarballs) add(tarball);
  return [...done].flatMap((name) => tarballs.filter((tarball) => tarball.manifest.name === name));
}
