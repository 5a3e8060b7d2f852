import { COMMANDS, isCommand } from "./commands/index.ts";

/** Not behind a quote (then it is what the person wrote) nor inside a path, nor where it stands in full already. */
const MENTION = new RegExp(
  `(?<![\\w"./\\\\-]|npx )moth(?= (?:(?:${Object.keys(COMMANDS).filter(isCommand).join("|")})\\b|--[a-z]))`,
  "g",
);

/**
 * moth's own words, from whatever package, with every command in them as the person can type it here. Not for what others wrote: labels,
 * replies, settings.
 * @param self how moth is called here, see `commandName`
 */
export function runnable(text: string, self: string): string {
  return text.replace(MENTION, () => self);
}
