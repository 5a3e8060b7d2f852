import { shortName } from "../harness-names.ts";
import { columnsOf, type Io, styleOf } from "../io.ts";
import { commandName } from "../self.ts";
import type { RosterView } from "./roster.ts";

/** How the roster is shown here and now. */
export function rosterView(io: Io, all = false): RosterView {
  return { now: io.now(), columns: columnsOf(io), style: styleOf(io), short: shortName, self: commandName(io.env), all };
}
