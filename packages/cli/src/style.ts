import type { Env } from "@moth-companion/core/paths";

type Paint = (text: string) => string;

/** The few ways text is set off. Lamp yellow is moth's own and the only colour. */
export interface Style {
  lamp: Paint;
  dim: Paint;
}

/** Bits of colour a stream can show: 1 is none. */
export function colorDepth(stream: { isTTY?: boolean; getColorDepth?: (env: object) => number }, env: Env): number {
  if (env["NO_COLOR"]) return 1;
  if (!stream.isTTY || env["TERM"] === "dumb") return env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0" ? 8 : 1;
  return stream.getColorDepth?.(env) ?? 1;
}

export function createStyle(depth: number): Style {
  if (depth <= 1) return { lamp: plain, dim: plain };
  const lamp = depth >= 24 ? "38;2;242;185;59" : depth >= 8 ? "38;5;215" : "33";
  return { lamp: paint(lamp, 39), dim: paint("2", 22) };
}

function plain(text: string): string {
  return text;
}

function paint(open: string, close: number): (text: string) => string {
  return (text) => (text ? `\u001b[${open}m${text}\u001b[${close}m` : text);
}
