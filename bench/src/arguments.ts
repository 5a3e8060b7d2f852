import type { Group } from "./groups.ts";

const FLAGS = ["--json", "--short", "--write"] as const;

export interface Wanted<T> {
  chosen: T[];
  json: boolean;
  short: boolean;
  write: boolean;
}

/** What `npm run bench` is asked for; `problem`, when that cannot be done, says what can. */
export function readWords<T extends Pick<Group, "name" | "title">>(
  given: readonly string[],
  groups: readonly T[],
): Wanted<T> | { problem: string } {
  const args = given.filter((arg) => arg !== "--");
  const words = args.filter((arg) => !FLAGS.some((flag) => flag === arg));
  const [json, short, write] = FLAGS.map((flag) => args.includes(flag)) as [boolean, boolean, boolean];
  const strange = words.filter((word) => !groups.some(({ name }) => name.startsWith(word)));
  if (strange.length > 0) {
    const first = `bench: nothing is called ${strange.join(" ")}. Write ${FLAGS.join(", ")}, or the beginning of one of these names:`;
    return { problem: [first, ...groups.map(({ name, title }) => `  ${name.padEnd(10)} ${title}`)].join("\n") };
  }
  const chosen = groups.filter(({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)));
  if (write && (short || chosen.length < groups.length)) {
    const why = "bench: --write is for a whole run, so that all figures in docs/performance.md are of one machine and moment.";
    return { problem: `${why}\n       npm run bench -- --write` };
  }
  return { chosen, json, short, write };
}
