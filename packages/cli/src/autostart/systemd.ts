import { join } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { mark, RUN_NODE, type Way } from "./entry.ts";

/** A unit of the person's own systemd, wanted by its default target. As systemd 252 reads it. */
export function systemdUnit(env: Env): Way {
  // A relative one counts as none: so says the specification.
  const given = env["XDG_CONFIG_HOME"];
  const folder = join(given?.startsWith("/") ? given : join(userHome(env), ".config"), "systemd", "user");
  return {
    name: "systemd",
    file: join(folder, "moth.service"),
    link: { path: join(folder, "default.target.wants", "moth.service"), to: "../moth.service" },
    encode: (text) => Buffer.from(text),
    decode: (bytes) => bytes.toString("utf8"),
    render: (facts) =>
      [
        `# ${mark(facts)}`,
        "[Unit]",
        "Description=moth: what your coding agents are up to",
        "",
        "[Service]",
        "Type=exec",
        // A program's name may hold no quotes there, an argument anything.
        `ExecStart=/bin/sh -c ${[RUN_NODE, facts.node, facts.bin, "up"].map(argument).join(" ")}`,
        ...Object.entries(facts.env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
        // A moth that was stopped, or found another running, ends in 0.
        "Restart=on-failure",
        "RestartSec=10",
        "",
        "[Install]",
        "WantedBy=default.target",
        "",
      ].join("\n"),
  };
}

/** Variables are put in where an argument is read, and nowhere else. */
function argument(text: string): string {
  return quoted(text).replaceAll("$", "$$$$");
}

function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `"${escaped}"`;
}
