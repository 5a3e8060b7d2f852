import type { Session } from "@moth-companion/core/protocol";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { shortDuration } from "../duration.ts";
import { EXIT } from "../errors.ts";
import { shortName } from "../harness-names.ts";
import { print, printJson, styleOf } from "../io.ts";
import { whoWants } from "../notify/next.ts";
import { waitWords } from "../ps/roster.ts";

export const next: Command = command({
  args: {
    seen: { type: "boolean", description: "and mark it as seen, so that the next call tells of the one after" },
    all: { type: "boolean", description: "with all others that want you; with --seen all are marked" },
    json: { type: "boolean", description: "print the sessions as a JSON array" },
  },
  notes: [
    "Who waits comes first, the longest on top; then whose turn ended while nobody looked.",
    "What is seen here is seen everywhere.",
  ],
  async run(args, io) {
    const client = createClient(io.env);
    const wanting = whoWants((await client.sessions()).sessions);
    const told = args.all ? wanting : wanting.slice(0, 1);
    if (args.json) printJson(io, told);
    else if (told.length === 0) print(io, "nobody needs you.");
    else print(io, ...told.map((session) => describe(session, io.now(), styleOf(io).lamp)));
    if (args.seen && args.all) await client.seen(undefined);
    else if (args.seen && told[0]) await client.seen({ source: told[0].source, session: told[0].session });
    return EXIT.ok;
  },
});

function describe(session: Session, now: number, paint: (text: string) => string): string {
  const name = [shortName(session.source), session.label].join(" · ");
  const text = `${name} ${does(session)}, ${shortDuration(now - session.since)} ago`;
  return `${session.state === "waiting" ? paint(text) : text}${session.pane ? `  (${session.pane})` : ""}`;
}

function does(session: Session): string {
  if (session.state === "waiting") return `asked for ${waitWords(session.wait)}`;
  return session.unread === "failed" ? "failed" : session.unread === "limit" ? "hit its limit" : "finished";
}
