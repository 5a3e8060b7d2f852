import { join } from "node:path";
import { type Env, userHome } from "@moth-companion/core/paths";
import { mark, RUN_NODE, type Way } from "./entry.ts";

const LABEL = "moth-companion";

/** An agent of launchd's, as macOS's manual page `launchd.plist(5)` describes it. */
export function launchdAgent(env: Env): Way {
  return {
    name: "launchd",
    file: join(userHome(env), "Library", "LaunchAgents", `${LABEL}.plist`),
    encode: (text) => Buffer.from(text),
    decode: (bytes) => bytes.toString("utf8"),
    render: (facts) =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
        `<!-- ${mark(facts)} -->`,
        '<plist version="1.0">',
        "<dict>",
        ...entry("Label", string(LABEL)),
        ...entry("ProgramArguments", array(["/bin/sh", "-c", RUN_NODE, facts.node, facts.bin, "up"].map(string))),
        ...entry("EnvironmentVariables", dict(Object.entries(facts.env).map(([name, value]) => [name, string(value)]))),
        ...entry("RunAtLoad", "<true/>"),
        // A moth that was stopped, or found another running, ends in 0.
        ...entry("KeepAlive", dict([["SuccessfulExit", "<false/>"]])),
        "</dict>",
        "</plist>",
        "",
      ].join("\n"),
  };
}

function entry(key: string, value: string): string[] {
  return [`  <key>${escape(key)}</key>`, `  ${value}`];
}

function string(text: string): string {
  return `<string>${escape(text)}</string>`;
}

function array(items: readonly string[]): string {
  return `<array>${items.join("")}</array>`;
}

function dict(items: readonly (readonly [string, string])[]): string {
  return `<dict>${items.map(([key, value]) => `<key>${escape(key)}</key>${value}`).join("")}</dict>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
