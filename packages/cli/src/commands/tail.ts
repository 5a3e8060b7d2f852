import { awayOn } from "@moth-companion/core/config";
import type { Answer, MothEvent } from "@moth-companion/core/protocol";
import { awayWords } from "../away.ts";
import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT, Failure } from "../errors.ts";
import { shortName } from "../harness-names.ts";
import { columnsOf, type Io, print, styleOf, toJson } from "../io.ts";
import { runnable } from "../runnable.ts";
import { commandName } from "../self.ts";
import { onEnding } from "../signals.ts";
import { announcement } from "../tail/announce.ts";
import { follow, type Listener } from "../tail/follow.ts";
import { type Ask, createOpenAsks } from "../tail/asks.ts";
import { createPlainPane, createPromptPane, type Pane } from "../tail/pane.ts";
import { caption, isOf, isShown, type View } from "../tail/render.ts";

const HISTORY = 3;

export const tail: Command = command({
  args: {
    watch: { type: "boolean", alias: "w", description: "only show; no prompt to talk to moth" },
    history: { type: "string", valueHint: "N", description: `events to show from before (${HISTORY})` },
    session: { type: "string", valueHint: "LABEL", description: "only this session's turns; moth's lines always show" },
    json: { type: "boolean", description: "print events as JSON, one a line" },
  },
  notes: [
    "Typed lines go to moth alone, never to an agent. ctrl-c ends.",
    "Tab shows what an agent asks, and answers it: then type, and Enter sends.",
    "When moth is asleep, tail waits for it.",
  ],
  async run(args, io) {
    const history = historyOf(args.history);
    const client = createClient(io.env);
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    const unlisten = onEnding(leave);
    const { session } = args;

    if (args.json) {
      const show = (events: readonly MothEvent[]): void => print(io, ...events.map((event) => toJson(event, 0)));
      await follow(
        client,
        listener({ history, session }, show, () => {}),
        leaving.signal,
      ).finally(unlisten);
      return EXIT.ok;
    }

    const view = (): View => ({
      columns: columnsOf(io),
      style: styleOf(io),
      short: shortName,
      ...(session !== undefined && { session }),
    });
    const send = (text: string): void => {
      client.chat(text).catch((error: unknown) => {
        pane.show([
          {
            kind: "note",
            text:
              error instanceof Failure && error.code === "NOT_RUNNING"
                ? "moth is asleep and did not hear you"
                : `not sent: ${error instanceof Error ? error.message : String(error)}`,
          },
        ]);
        pane.giveBack(text);
      });
    };
    const announce = (events: readonly MothEvent[]): void => {
      if (!io.stdout.isTTY) return;
      // Who has this terminal before them has just read it there.
      const isRead = pane.hasFocus();
      const bytes = events.map((event) =>
        event.kind === "withdrawn" || (event.kind === "notice" && !isRead) ? announcement(event, io.env) : "",
      );
      if (bytes.some((one) => one !== "")) io.stdout.write(bytes.join(""));
    };
    const note = (text: string): void => pane.show([{ kind: "note", text: runnable(text, commandName(io.env)) }]);
    let isAway = false;
    const tellAway = (): void => {
      const wasAway = isAway;
      isAway = awayOn(io.env);
      if (isAway) {
        if (!wasAway) note(awayWords("moth"));
      } else if (wasAway) note("you are back: agents ask in their windows");
    };
    const asks = createOpenAsks((label) => isOf(label, session));
    const nameOf = (ask: Ask): string => caption(ask, view());
    const cannotAnswer = (): void => {
      const ask = asks.elsewhere();
      note(ask ? `${nameOf(ask)} is answered in its own window. ${ask.wait.why}` : "no agent asks what can be answered here");
    };
    const answer = async ({ source, session, wait }: Ask, given: Answer): Promise<string | undefined> => {
      try {
        await client.answer({ source, session, wait: wait.id, ...given, by: "tail" });
        return undefined;
      } catch (error) {
        if (error instanceof Failure) return error.code === "NOT_RUNNING" ? "moth is asleep" : error.message;
        throw error;
      }
    };
    /** While who asks is not known yet. */
    let looking: Promise<void> | undefined;
    const typist = { send, leave, asks, nameOf, cannotAnswer, looking: () => looking, answer };
    const isTyped = canType(io) && !args.watch;
    const pane: Pane = isTyped ? createPromptPane(io, view, typist) : createPlainPane(io, view);
    const findWhoAsks = async (): Promise<void> => {
      asks.know(await client.sessions(leaving.signal).catch(() => undefined));
      pane.asked();
    };
    const lookWhoAsks = (): void => {
      const mine = findWhoAsks().finally(() => {
        if (looking === mine) looking = undefined;
      });
      looking = mine;
    };
    try {
      const shown = listener({ history, session }, pane.show, note);
      const events: Listener["events"] = (news, when) => {
        asks.hear(news);
        shown.events(news, when);
        tellAway();
        pane.asked();
        if (when === "now") announce(news);
        else if (isTyped) lookWhoAsks();
      };
      /** What an agent asked counts no more until it is heard anew. */
      const again = (why: string): void => {
        asks.anew();
        pane.asked(why);
      };
      const lost: Listener["lost"] = (why) => {
        again("cannot be reached: moth is asleep");
        shown.lost(why);
      };
      const found: Listener["found"] = () => {
        again("may ask something else by now");
        shown.found();
        if (isTyped) lookWhoAsks();
      };
      const anew: Listener["anew"] = () => {
        again("may ask something else by now");
        shown.anew();
        if (isTyped) lookWhoAsks();
      };
      await follow(client, { events, lost, found, anew }, leaving.signal);
    } finally {
      unlisten();
      pane.close();
    }
    return EXIT.ok;
  },
});

function listener(
  wanted: { history: number; session: string | undefined },
  show: (events: readonly MothEvent[]) => void,
  note: (text: string) => void,
): Listener {
  return {
    events(events, when) {
      const shown = events.filter((event) => isShown(event, wanted.session));
      show(when === "now" ? shown : wanted.history === 0 ? [] : shown.slice(-wanted.history));
    },
    lost: (why) => note(why.code === "NOT_RUNNING" ? "moth is asleep" : `${why.message}. ${why.next ?? ""}`.trimEnd()),
    found: () => note("moth is awake"),
    anew: () => note("moth forgot; a new chat begins"),
  };
}

function canType(io: Io): boolean {
  return io.stdin.isTTY && io.stdout.isTTY && io.env["TERM"] !== "dumb";
}

function historyOf(given: string | undefined): number {
  if (given === undefined) return HISTORY;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw new Failure("USAGE", `--history is "${given}", which is not a number of events`, "For example: moth tail --history 10");
}
