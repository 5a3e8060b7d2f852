import type { Session } from "@moth-companion/core/protocol";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { shortDuration } from "../duration.ts";
import { EXIT, Failure } from "../errors.ts";
import { shortName } from "../harness-names.ts";
import { type Io, print, printJson, styleOf } from "../io.ts";
import { whoWants } from "../notify/next.ts";
import { waitWords } from "../ps/roster.ts";
import { placeOf } from "../where.ts";

export const next: Command = command({
  args: {
    seen: { type: "boolean", description: "and mark it as seen, so that the next call tells of the one after" },
    all: { type: "boolean", description: "with all others that want you; with --seen all are marked" },
    open: { type: "boolean", description: "and go there, in tmux, Zellij, WezTerm, kitty or iTerm2; this marks it as seen" },
    json: { type: "boolean", description: "print the sessions as a JSON array" },
  },
  notes: [
    "Who waits comes first, the longest on top; then whose turn ended while nobody looked.",
    "What is seen here is seen everywhere.",
  ],
  async run(args, io) {
    if (args.open && (args.all || args.json)) {
      throw new Failure("USAGE", "--open goes to one session", "Use it without --all and --json");
    }
    const client = createClient(io.env);
    const wanting = whoWants((await client.sessions()).sessions);
    const told = args.all ? wanting : wanting.slice(0, 1);
    if (args.json) printJson(io, told);
    else if (told.length === 0) print(io, "nobody needs you.");
    else print(io, ...told.map((session) => describe(session, io.now(), styleOf(io).lamp)));
    if (args.open && told[0]) await open(told[0], io);
    if (args.seen && args.all) await client.seen(undefined);
    else if ((args.seen || args.open) && told[0]) await client.seen({ source: told[0].source, session: told[0].session });
    return EXIT.ok;
  },
});

/** @throws Failure PANE when this terminal does not allow it */
async function open(session: Session, io: Io): Promise<void> {
  // Only here: no other command needs it.
  const { jumpTo } = await import("@moth-companion/server/jump");
  const jump = await jumpTo(session.pane, io.env);
  if (!jump.jumped) throw new Failure("FAILED", `cannot go to ${session.label}: ${jump.why}`, jump.next);
  if (jump.note) print(io, jump.note);
}

function describe(session: Session, now: number, paint: (text: string) => string): string {
  const name = [shortName(session.source), session.label].join(" · ");
  const text = `${name} ${does(session)}, ${shortDuration(now - session.since)} ago`;
  return `${session.state === "waiting" ? paint(text) : text}${where(session.pane)}`;
}

function where(pane: string | undefined): string {
  const place = placeOf(pane);
  return place === undefined ? "" : `  (${place})`;
}

function does(session: Session): string {
  if (session.state === "waiting") return `asked for ${waitWords(session.wait)}`;
  return session.unread === "failed" ? "failed" : session.unread === "limit" ? "hit its limit" : "finished";
}
