/** What moth leaves with the system so that it is started at each login: one text file, which says of itself what it was made from. */
import { delimiter, isAbsolute } from "node:path";
import { type Env } from "@moth-companion/core/paths";

/** What an entry was made from. */
export interface Facts {
  /** The Node that starts moth; where it is gone, another is looked for. */
  node: string;
  /** moth's own program. */
  bin: string;
  /** Variables that moth goes by. */
  env: Readonly<Record<string, string>>;
  /** How many folders were made for it, from the innermost on. */
  made: number;
}

/** One system's way to start something at login. */
export interface Way {
  /** For the person: what starts moth. */
  name: string;
  file: string;
  /** A link beside it without which it does not count, and where it leads. */
  link?: { path: string; to: string };
  encode(text: string): Buffer;
  decode(bytes: Buffer): string;
  /** The whole file but its first lines. */
  render(facts: Facts): string;
}

const MARK = "written by moth autostart, and taken out by moth autostart off: ";

/** The facts as a comment holds them in every format: one line, without the two hyphens that end one in XML. */
export function mark(facts: Facts): string {
  return MARK + JSON.stringify(facts).replace(/-(?=-)/g, "\\u002d");
}

/** @returns undefined when moth has not written the text */
export function readMark(text: string): Facts | undefined {
  const json = text.split(/\r?\n/).find((line) => line.includes(MARK));
  if (json === undefined) return undefined;
  try {
    const facts: unknown = JSON.parse(json.slice(json.indexOf(MARK) + MARK.length).replace(/ -->$/, ""));
    return isFacts(facts) ? facts : undefined;
  } catch {
    return undefined;
  }
}

function isFacts(facts: unknown): facts is Facts {
  if (typeof facts !== "object" || facts === null) return false;
  const { node, bin, env, made } = facts as Partial<Record<keyof Facts, unknown>>;
  return (
    typeof node === "string" &&
    typeof bin === "string" &&
    typeof made === "number" &&
    typeof env === "object" &&
    env !== null &&
    Object.values(env).every((value) => typeof value === "string")
  );
}

/** A shell's line that runs `$0` with the arguments, or another Node when `$0` was taken away by an upgrade. */
export const RUN_NODE = 'n=$0; [ -x "$n" ] || n=node; exec "$n" "$@"';

/** The variables an entry carries: where moth's files are, where it listens, and the programs it finds. */
export function carried(env: Env): Record<string, string> {
  const names = ["MOTH_HOME", "MOTH_TOKEN_FILE", "MOTH_CONFIG_FILE", "MOTH_URL", "PATH"];
  const found = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  return found["PATH"] === undefined ? found : { ...found, PATH: lastingPath(found["PATH"]) };
}

/** Without what npx and npm put in front for a project, and what depends on the folder one is in. */
function lastingPath(path: string): string {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin$/.test(folder));
  return folders.join(delimiter);
}
