import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import type { Manifest, Tarball } from "./tarballs.ts";

export interface Registry {
  url: string;
  /** A person's `.npmrc` that names it, and no other. */
  npmrc: string;
  /** What was published by a client, in order, and the word by which it was let in. */
  received: { manifest: Manifest; authorization: string | undefined }[];
  publish(tarballs: readonly Tarball[]): void;
  close(): Promise<void>;
}

/** Long ago: package managers may refuse what was published today. */
const PUBLISHED = "2026-01-01T00:00:00.000Z";

/** A package registry on this machine that has just these packages, and of each the newest as `latest`. */
export async function startRegistry(tarballs: readonly Tarball[]): Promise<Registry> {
  const packages = new Map<string, Tarball[]>();
  const files = new Map<string, Buffer>();
  const received: Registry["received"] = [];
  const publish = (more: readonly Tarball[]): void => {
    for (const tarball of more) {
      packages.set(tarball.manifest.name, [...(packages.get(tarball.manifest.name) ?? []), tarball]);
      files.set(basename(tarball.file), readFileSync(tarball.file));
    }
  };
  publish(tarballs);

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname).slice(1);
    if (request.method === "PUT") {
      void json(request).then(({ versions = {}, _attachments = {} }) => {
        const [[manifest], [attachment]] = [Object.values(versions), Object.entries(_attachments)];
        if (!manifest || !attachment) return answer(response, 400, { error: "nothing in it" });
        received.push({ manifest, authorization: request.headers.authorization });
        const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
        packages.set(manifest.name, [...(packages.get(manifest.name) ?? []), { file, manifest }]);
        files.set(file, Buffer.from(attachment[1].data, "base64"));
        return answer(response, 201, { ok: true });
      });
      return;
    }
    const file = files.get(basename(path));
    const versions = packages.get(path);
    if (request.method === "GET" && file) response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(file);
    else if (request.method === "GET" && versions) answer(response, 200, describe(path, versions));
    else answer(response, 404, { error: "not_found" });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const describe = (name: string, versions: readonly Tarball[]): object => ({
    name,
    "dist-tags": { latest: versions.at(-1)?.manifest.version },
    time: Object.fromEntries(versions.map(({ manifest }) => [manifest.version, PUBLISHED])),
    versions: Object.fromEntries(
      versions.map(({ manifest, file }) => {
        const bytes = files.get(basename(file)) ?? "";
        const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
        const shasum = createHash("sha1").update(bytes).digest("hex");
        return [manifest.version, { ...manifest, dist: { tarball: `${url}${name}/-/${basename(file)}`, integrity, shasum } }];
      }),
    ),
  });

  return {
    url,
    npmrc: `registry=${url}\nfund=false\naudit=false\nupdate-notifier=false\n`,
    received,
    publish,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Published {
  versions?: Record<string, Manifest>;
  _attachments?: Record<string, { data: string }>;
}

async function json(request: IncomingMessage): Promise<Published> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Published;
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
