import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inherited, run } from "../src/processes.ts";

/** A package as npm would ship it. */
export interface Tarball {
  file: string;
  manifest: Manifest;
}

export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  dependencies?: Record<string, string>;
  exports?: Record<string, unknown>;
  [field: string]: unknown;
}

const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGES: string = join(ROOT, "packages");

/** Packs every package that is published, as the release does. */
export async function packOwn(into: string): Promise<Tarball[]> {
  const names = readdirSync(PACKAGES).filter((name) => readManifest(join(PACKAGES, name)).private !== true);
  const filters = names.map((name) => `--filter=./packages/${name}`);
  await must("pnpm", ["-r", ...filters, "pack", "--pack-destination", into], ROOT);
  const files = readdirSync(into).filter((name) => name.endsWith(".tgz"));
  if (files.length !== names.length) throw new Error(`${names.length} packages were packed to ${files.length} tarballs.`);
  return await Promise.all(files.map(async (name) => ({ file: join(into, name), manifest: await manifestIn(join(into, name)) })));
}

/** Packs what the command needs of other people's packages, out of what the workspace has installed: no registry is asked. */
export async function packForeign(into: string): Promise<Tarball[]> {
  const found = new Map<string, string>();
  const collect = (folder: string): void => {
    for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
      if (isOwn(name)) continue;
      const dependency = findPackage(name, folder);
      const { version } = readManifest(dependency);
      if (found.has(`${name}@${version}`)) continue;
      found.set(`${name}@${version}`, dependency);
      collect(dependency);
    }
  };
  collect(join(PACKAGES, "cli"));
  return await Promise.all([...found.values()].map((folder) => packFolder(folder, into)));
}

/** The same packages with something else in their folders or manifests. @param change gets a package's folder and its manifest, and gives the new one */
export async function repacked(
  tarballs: readonly Tarball[],
  into: string,
  change: (manifest: Manifest, folder: string) => Manifest,
): Promise<Tarball[]> {
  return await Promise.all(
    tarballs.map(async (tarball) => {
      const work = mkdtempSync(join(into, "next-"));
      const folder = await unpack(tarball, work);
      writeFileSync(join(folder, "package.json"), `${JSON.stringify(change(tarball.manifest, folder), null, 2)}\n`);
      const made = await packFolder(folder, into);
      rmSync(work, { recursive: true });
      return made;
    }),
  );
}

/** A manifest as the release of another version has it. */
export function asVersion(manifest: Manifest, version: string): Manifest {
  const { dependencies } = manifest;
  if (!dependencies) return { ...manifest, version };
  const wanted = Object.entries(dependencies).map(([name, range]) => [name, isOwn(name) ? version : range]);
  return { ...manifest, version, dependencies: Object.fromEntries(wanted) as Record<string, string> };
}

export function isOwn(name: string): boolean {
  return name === "moth-companion" || name.startsWith("@moth-companion/");
}

/** Unpacks a tarball. @returns the package's folder, as it would lie on the person's disk */
export async function unpack({ file }: Tarball, into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  await must("tar", ["-xzf", file, "-C", into], into);
  return join(into, "package");
}

async function packFolder(folder: string, into: string): Promise<Tarball> {
  const manifest = readManifest(folder);
  const file = join(into, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
  const work = mkdtempSync(join(into, "pack-"));
  cpSync(folder, join(work, "package"), {
    recursive: true,
    dereference: true,
    filter: (from) => !from.slice(folder.length).includes("node_modules"),
  });
  await must("tar", ["-czf", file, "-C", work, "package"], into);
  rmSync(work, { recursive: true });
  return { file, manifest };
}

/** A package's folder, looked for as Node does it from another package's folder. */
function findPackage(name: string, from: string): string {
  for (let at = realpathSync(from); ; at = dirname(at)) {
    try {
      const folder = realpathSync(join(at, "node_modules", name));
      readManifest(folder);
      return folder;
    } catch (error) {
      if (dirname(at) === at) throw error;
    }
  }
}

async function manifestIn(file: string): Promise<Manifest> {
  return JSON.parse(await must("tar", ["-xzOf", file, "package/package.json"], dirname(file))) as Manifest;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

async function must(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, { cwd, env: inherited(), within: 120_000 });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stderr || stdout}`);
  return stdout;
}
