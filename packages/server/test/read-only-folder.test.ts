/** What happens when moth's folder can no longer be written: the disk is full, or was mounted anew because it is failing. */
import { spawnSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempHome } from "./support.ts";

const SERVER = join(import.meta.dirname, "..", "src", "server.ts");

test.skipIf(process.platform === "win32")(
  "a moth whose folder can no longer be written ends in good order",
  { timeout: 60_000 },
  () => {
    const home = tempHome();
    const program = `import { startServer } from ${JSON.stringify(SERVER)};
    import { chmodSync } from "node:fs";
    const server = await startServer({ version: "1.2.3", port: 0, env: ${JSON.stringify({ MOTH_HOME: home, PATH: process.env["PATH"] })}, harnesses: [] });
    const headers = { "X-Moth-Token": server.token, "Content-Type": "application/json" };
    const body = JSON.stringify({ source: "pi", state: "working" });
    chmodSync(${JSON.stringify(join(home, "run"))}, 0o500);
    const { status } = await fetch(server.url + "/api/state", { method: "POST", headers, body });
    await server.stop();
    console.log(status);`;
    // Nothing keeps root from removing a file.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (user.uid) chownSync(home, user.uid, user.gid);
    const args = ["--conditions=moth-src", "--input-type=module", "-e", program];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...user, encoding: "utf8", timeout: 50_000 });
    expect([status, stdout, stderr]).toEqual([0, "200\n", ""]);
    expect(readdirSync(join(home, "run")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  },
);
