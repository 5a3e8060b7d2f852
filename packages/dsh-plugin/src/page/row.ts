/**
 * moth's row in dsh's page: one line above the composer, for the session that is shown. This function runs in the browser. Only its text
 * gets there, so it must not use anything from outside itself; what it needs it gets from the loader of dsh's page.
 */

/** What a row of the page is given. Names as in dsh 0.1.0-rc.8. */
interface RowProps {
  sessionId: string;
  useSession: <T>(select: (session: Conversation) => T) => T | undefined;
}

interface Conversation {
  running: boolean;
  /** What stands in the conversation; a command is a part of it. */
  chat?: { legacy?: { nodes?: readonly unknown[] } };
}

interface Shown {
  session: string;
  text: string;
  quote?: string;
}

interface React {
  createElement: (type: string, props: object, ...children: unknown[]) => unknown;
  useEffect: (effect: () => () => void, on: readonly unknown[]) => void;
  useState: <T>(first: T) => [T, (next: T) => void];
}

interface Page {
  slots: {
    inject(slot: string, start: () => unknown): unknown;
    register(entry: object, component: (props: RowProps) => unknown): unknown;
  };
}

export interface PagePart {
  inject: string[];
  apply(page: Page): void;
}

/** @param load gives a module of dsh's page by its name */
export function row(load: (module: string) => unknown): PagePart {
  const { createElement, useEffect, useState } = load("react") as React;
  const slot = "conversation.input.dock";
  const style = {
    boxSizing: "border-box",
    width: "calc(100% - 2 * var(--dsh-composer-side-clearance, 16px))",
    maxWidth: "var(--dsh-composer-card-max-width, 780px)",
    margin: "0 auto",
    padding: "2px 16px",
    color: "var(--dsw-alias-label-secondary, inherit)",
    fontSize: "13px",
    lineHeight: "20px",
    overflowWrap: "anywhere",
  };

  function Row({ sessionId, useSession }: RowProps): unknown {
    const running = useSession((session) => session.running) ?? false;
    const length = useSession((session) => session.chat?.legacy?.nodes?.length) ?? 0;
    const [shown, show] = useState<Shown | undefined>(undefined);
    // dsh has heard the end of a turn before its page shows it: whoever asks then waits for the line of just this turn.
    useEffect(() => {
      const asking = new AbortController();
      fetch(`/moth/line?session=${encodeURIComponent(sessionId)}`, { signal: asking.signal })
        .then((answer) => answer.json() as Promise<{ line: Omit<Shown, "session"> | null }>)
        .then(({ line }) => show(line ? { ...line, session: sessionId } : undefined))
        .catch(() => {});
      return () => asking.abort();
    }, [sessionId, running, length]);
    if (shown?.session !== sessionId) return null;
    return createElement("div", { "data-moth": "", role: "status", style, title: shown.quote }, `moth> ${shown.text}`);
  }

  return {
    inject: ["slots"],
    apply: ({ slots }) => void slots.inject(slot, () => slots.register({ name: slot, id: "moth", order: 15 }, Row)),
  };
}
