/** The door: what Copilot's SDK hands to an extension, as far as moth uses it (1.0.102). Foreign: what is not there counts as missing. */
import { field, text } from "@moth-companion/core/fields";

/** One event of the session, whoever caused it. */
export interface Heard {
  type: string;
  data: unknown;
  /** It is a subagent's. */
  isAgents: boolean;
}

/** Which of Copilot's calls takes an answer. Copilot keeps a dialog open until one of them, or the person, ends it. */
type Call = "permission" | "question" | "plan";

export interface Session {
  id: string;
  /** Hears every event from now on. */
  listen(hear: (heard: Heard) => void): void;
  /** Answers a dialog. Returns false when it is over already. @throws when Copilot does not take it */
  answer(call: Call, request: object): Promise<boolean>;
  /** Gives it a prompt, word for word: at once when it rests, after the turn that runs when it works. @throws when Copilot does not take it */
  send(prompt: string): Promise<void>;
  /** Ends the turn that runs. @throws as above */
  abort(): Promise<void>;
}

/** What is used of a session of the SDK's. */
interface Joined {
  on(heard: (event: unknown) => void): unknown;
  send(message: { prompt: string }): Promise<unknown>;
  abort(): Promise<unknown>;
}

const CALLS: Readonly<Record<Call, readonly [string, string]>> = {
  permission: ["permissions", "handlePendingPermissionRequest"],
  question: ["ui", "handlePendingElicitation"],
  plan: ["ui", "handlePendingExitPlanMode"],
};

/** What `@github/copilot-sdk/extension` gives. */
export type JoinSession = (config: object) => Promise<unknown>;

/** Decides nothing itself: the dialog stays, until somebody answers. */
const onPermissionRequest = (): object => ({ kind: "no-result" });

/**
 * Joins the session this process was started for. Copilot asks the person whether the extension may handle permission requests; after a *no*
 * it stays for questions and plans, which need no leave.
 * @throws when Copilot does not let it in at all
 */
export async function join(joinSession: JoinSession): Promise<Session> {
  return readSession(await joinSession({ onPermissionRequest }).catch(() => joinSession({})));
}

function readSession(joined: unknown): Session {
  const id = text(joined, "sessionId");
  if (id === undefined) throw new Error("Copilot's session has no id.");
  const own = joined as Joined;
  return {
    id,
    listen(hear) {
      own.on((event) => {
        const type = text(event, "type");
        if (type !== undefined) hear({ type, data: field(event, "data"), isAgents: text(event, "agentId") !== undefined });
      });
    },
    async answer(call, request) {
      const [group, name] = CALLS[call];
      const calls = field(field(joined, "rpc"), group) as Record<string, (request: object) => Promise<unknown>>;
      return field(await calls[name]?.(request), "success") === true;
    },
    async send(prompt) {
      await own.send({ prompt });
    },
    async abort() {
      await own.abort();
    },
  };
}
