import { join } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { type Facts, mark, type Way } from "./entry.ts";

/**
 * A script in Windows' Startup folder. A script of the Windows Script Host, since what it starts can have no window at all; a `.cmd` or a
 * program under the registry's Run key shows one.
 */
export function startupScript(env: Env): Way {
  const roaming = env["APPDATA"] || join(userHome(env), "AppData", "Roaming");
  return {
    name: "Windows' Startup folder",
    file: join(roaming, "Microsoft", "Windows", "Start Menu", "Programs", "Startup", "moth.vbs"),
    // The host reads a file in the machine's old code page unless it is this.
    encode: (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
    decode: (bytes) => bytes.toString("utf16le").replace(/^\ufeff/, ""),
    render: (facts) => [`' ${mark(facts)}`, ...script(facts), ""].join("\r\n"),
  };
}

function script({ node, bin, env }: Facts): string[] {
  // Run puts in what stands between two `%`, once: so paths go in that way.
  const set = { ...env, MOTH_AUTOSTART_NODE: node, MOTH_AUTOSTART_BIN: bin };
  return [
    'Set shell = CreateObject("WScript.Shell")',
    'Set env = shell.Environment("PROCESS")',
    ...Object.entries(set).map(([name, value]) => `env(${quoted(name)}) = ${quoted(value)}`),
    `If Not CreateObject("Scripting.FileSystemObject").FileExists(env("MOTH_AUTOSTART_NODE")) Then env("MOTH_AUTOSTART_NODE") = "node"`,
    `shell.Run ${quoted('"%MOTH_AUTOSTART_NODE%" "%MOTH_AUTOSTART_BIN%" up')}, 0, False`,
  ];
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
