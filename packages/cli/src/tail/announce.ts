/**
 * A desktop notification from inside a terminal, which is what reaches the person over SSH. Three dialects: OSC 9 (iTerm2, WezTerm, Ghostty,
 * Windows Terminal and others), OSC 777 (urxvt, foot, VTE) and OSC 99 (kitty), the only one that can withdraw.
 */
import type { Env } from "@moth-companion/core/paths";
import type { NoticeEvent, WithdrawnEvent } from "@moth-companion/core/protocol";
import { oneLine } from "@moth-companion/core/text";

type Dialect = "9" | "777" | "99";

/** The bytes that tell a terminal of a notice, or that it is over; empty when this terminal cannot, or need not. */
export function announcement(event: NoticeEvent | WithdrawnEvent, env: Env): string {
  const dialect = dialectOf(env);
  if (event.kind === "withdrawn") return dialect === "99" ? wrap(`99;i=${idOf(event.notice)}:p=close;`, env) : "";
  if (!event.by.includes("terminal")) return "";
  const title = oneLine(event.title);
  const body = oneLine(event.body);
  if (dialect === "99") {
    const id = `i=${idOf(event.notice)}`;
    // Base64: kitty's own way to carry any text.
    return wrap(`99;${id}:d=0:e=1;${base64(title)}`, env) + wrap(`99;${id}:p=body:e=1;${base64(body)}`, env);
  }
  // The first `;` ends the title.
  if (dialect === "777") return wrap(`777;notify;${title.replaceAll(";", ",")};${body}`, env);
  // A number and a `;` in front would be another command: ConEmu's progress.
  return wrap(`9;${`${title}${body ? ` (${body})` : ""}`.replaceAll(";", ",")}`, env);
}

function dialectOf(env: Env): Dialect {
  const given = env["MOTH_NOTIFY_OSC"];
  if (given === "9" || given === "777" || given === "99") return given;
  const term = env["TERM"] ?? "";
  if (/kitty/.test(term) || env["KITTY_WINDOW_ID"]) return "99";
  return /^(?:rxvt|foot)/.test(term) ? "777" : "9";
}

/** An OSC; under tmux in its envelope, which its `allow-passthrough` lets out. */
function wrap(content: string, env: Env): string {
  const osc = `\u001b]${content}\u001b\\`;
  return env["TMUX"] ? `\u001bPtmux;${osc.replaceAll("\u001b", "\u001b\u001b")}\u001b\\` : osc;
}

function idOf(notice: string): string {
  return `moth-${notice.replace(/[^\w-]/g, "")}`;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
