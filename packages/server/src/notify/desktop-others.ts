/** The desktops of macOS and Windows. Built from their documents; never seen running by us. */
import type { Env } from "@moth-companion/core/paths";
import type { Backend } from "./backend.ts";
import type { Notice } from "./notifier.ts";
import { runProgram } from "../run-program.ts";

/** AppleScript has no way to take a notification back. */
export function createMacBackend(env: Env, withSound: boolean): Backend {
  return {
    show: async (notice) => void (await runProgram(osascript(notice, withSound), env)),
    withdraw: () => Promise.resolve(),
  };
}

/** The words go in as arguments of a fixed script. */
export function osascript({ title, body }: Notice, withSound: boolean): string[] {
  const sound = withSound ? ' sound name "Glass"' : "";
  const script = ["on run argv", `display notification (item 2 of argv) with title (item 1 of argv)${sound}`, "end run"];
  return ["osascript", ...script.flatMap((line) => ["-e", line]), "--", title, body];
}

export function createWindowsBackend(env: Env, withSound: boolean): Backend {
  return {
    show: async (notice) => void (await runProgram(powershell(SHOW), toastEnv(env, notice, withSound))),
    withdraw: async (notice) => void (await runProgram(powershell(REMOVE), toastEnv(env, notice, withSound))),
  };
}

/** The words go in as variables; a toast's tag has 64 characters at most. */
export function toastEnv(env: Env, { key, title, body }: Notice, withSound: boolean): Env {
  return { ...env, MOTH_TAG: key, MOTH_TITLE: title, MOTH_BODY: body, MOTH_SILENT: withSound ? "false" : "true" };
}

/** PowerShell's own id: one of moth's would have to be registered with the Start menu. */
const APP = "'{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'";
const WINRT = "ContentType = WindowsRuntime";

export const SHOW: string = [
  "$ErrorActionPreference = 'Stop'",
  `[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ${WINRT}]`,
  `[void][Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom, ${WINRT}]`,
  "$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)",
  "$lines = $xml.GetElementsByTagName('text')",
  "[void]$lines.Item(0).AppendChild($xml.CreateTextNode($env:MOTH_TITLE))",
  "[void]$lines.Item(1).AppendChild($xml.CreateTextNode($env:MOTH_BODY))",
  "$audio = $xml.CreateElement('audio')",
  "$audio.SetAttribute('silent', $env:MOTH_SILENT)",
  "[void]$xml.DocumentElement.AppendChild($audio)",
  "$toast = New-Object Windows.UI.Notifications.ToastNotification $xml",
  "$toast.Tag = $env:MOTH_TAG",
  "$toast.Group = 'moth'",
  `[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier(${APP}).Show($toast)`,
].join("\n");

export const REMOVE: string = [
  `[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ${WINRT}]`,
  `[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($env:MOTH_TAG, 'moth', ${APP})`,
].join("\n");

function powershell(script: string): string[] {
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return ["powershell.exe", "-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden", "-EncodedCommand", encoded];
}
