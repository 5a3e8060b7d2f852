/** The harness's dialogs, as far as moth uses them. Behaves as OpenCode 1.18.33 does: a dialog is answered once, whoever is first. */

/** An event of the harness's bus. */
export interface BusEvent {
  type: string;
  properties: Record<string, unknown>;
}

export interface Dialogs {
  /** What the harness gives to a plugin. */
  client: { session: object; _client?: object };
  /** A tool is called with `input`; a call that is yet to be written down is pending. */
  call: (callID: string, input: unknown, status?: "running" | "pending") => void;
  /** A dialog opens. */
  ask: (kind: "permission" | "question", asked: { id: string; sessionID: string; [more: string]: unknown }) => void;
  /** The person answers in the window. @returns whether the dialog was still open */
  answer: (id: string, body: object) => boolean;
  /** What each dialog was answered with, those that are open left out. */
  answers: () => Record<string, object>;
  open: () => string[];
}

export function dialogs(emit: (event: BusEvent) => void): Dialogs {
  const pending = new Map<string, { kind: string; sessionID: string }>();
  const answers: Record<string, object> = {};
  const parts: object[] = [{ type: "text", text: "First." }];

  function answer(id: string, body: object): boolean {
    const asked = pending.get(id);
    if (!asked) return false;
    pending.delete(id);
    answers[id] = body;
    emit({ type: `${asked.kind}.replied`, properties: { sessionID: asked.sessionID, requestID: id, ...body } });
    return true;
  }

  return {
    client: {
      session: { message: () => Promise.resolve({ data: { info: {}, parts } }) },
      _client: {
        post: ({ url, path, body }: { url: string; path: { requestID: string }; body: object }) => {
          const kind = pending.get(path.requestID)?.kind;
          const isTaken = url === `/${kind}/{requestID}/reply` && answer(path.requestID, body);
          return Promise.resolve(
            isTaken ? { data: true, response: { status: 200 } } : { error: {}, response: { status: kind ? 400 : 404 } },
          );
        },
      },
    },
    call: (callID, input, status = "running") => {
      const at = parts.findIndex((part) => (part as { callID?: string }).callID === callID);
      parts.splice(at === -1 ? parts.length : at, 1, { type: "tool", callID, state: { status, input } });
    },
    ask(kind, asked) {
      pending.set(asked.id, { kind, sessionID: asked.sessionID });
      emit({ type: `${kind}.asked`, properties: asked });
    },
    answer,
    answers: () => answers,
    open: () => [...pending.keys()],
  };
}
