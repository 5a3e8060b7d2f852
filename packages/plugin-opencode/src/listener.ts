/** From what the harness says of its sessions to reports. Holds a session's state by its id and nothing by process. */
import { placeOf } from "@moth-companion/core/label";
import type { Outbox } from "@moth-companion/core/outbox";
import type { ReportOrigin } from "@moth-companion/core/protocol";
import type { SessionOrders } from "@moth-companion/core/session-orders";
import type { Waiting } from "./answering.ts";
import type { Heard, Info } from "./event.ts";
import { createSession, rootOf, type Session } from "./session.ts";
import { createStrangers } from "./strangers.ts";
import { createTree, type Tree } from "./tree.ts";

/** Sessions known at once, at most: a server may run for months. One that was dropped is looked up again. */
const MAX_SESSIONS = 1000;

/** What may begin a turn or end one. */
const TURNS: ReadonlySet<Heard["what"]> = new Set(["busy", "idle", "asked", "answered"]);

export interface ListenerOptions {
  source: string;
  pid: number;
  /** Where the harness works, for a session that does not tell. */
  folder: string;
  /** The process is one window: the session that was prompted last is on its screen, and no other. */
  oneWindow: boolean;
  reports: Pick<Outbox, "turn" | "state">;
  /** Asks the harness about a session that did not introduce itself. */
  lookUp: (session: string) => Promise<Info | undefined>;
  /** Takes what the person has sessions do. */
  orders?: SessionOrders | undefined;
  /** A session waits for the person. */
  asked?: (waiting: Waiting) => void;
}

export interface Listener {
  hear(heard: Heard): void;
  /** The harness ends: so do its sessions. */
  close(): void;
}

export function createListener(options: ListenerOptions): Listener {
  const sessions = new Map<string, Session>();
  const trees = new Map<string, Tree>();
  const strangers = createStrangers(options.lookUp, hear);

  function hear(heard: Heard): void {
    if (heard.what === "session") return meet(heard);
    if (heard.what === "deleted") return end(heard.session);
    const session = sessions.get(heard.session);
    if (!session) return strangers.hold(heard);
    const root = rootOf(session, sessions);
    follow(heard, session, root === session.id);
    if (options.oneWindow && heard.what === "busy") leaveAllBut(root);
    const tree = treeOf(root, session);
    tree.hear(heard, session);
    if (TURNS.has(heard.what)) options.orders?.heard(root, tree.isIdle());
  }

  /** What concerns the session alone. */
  function follow(heard: Heard, session: Session, isRoot: boolean): void {
    switch (heard.what) {
      case "busy":
        session.begin();
        return;
      case "error":
        session.outcome = heard.outcome;
        return;
      case "text":
        session.replies.part(heard.message, heard.part, heard.text);
        return;
      case "continuation":
        session.goOn(heard.message);
        return;
      case "message": {
        const reply = session.finish(heard.message);
        // A subagent speaks to its parent.
        if (isRoot && reply) {
          const { text, outcome } = reply;
          // It works on: another prompt may wait in line. That it is idle, the harness says itself.
          options.reports.turn({ ...originOf(session), text, turn: heard.message.id, outcome, state: "working" });
        }
        return;
      }
    }
  }

  function meet(info: Info): void {
    const known = sessions.get(info.session);
    const session = known ?? createSession(info);
    session.folder = info.folder ?? session.folder;
    // The one heard of last comes last.
    sessions.delete(session.id);
    sessions.set(session.id, session);
    if (known) return;
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) forget(oldest);
    strangers.met(info.session);
  }

  function end(id: string): void {
    const session = sessions.get(id);
    // A subagent's end is the end of its work for the others.
    if (session?.parent !== undefined) hear({ what: "idle", session: id });
    trees.get(id)?.end();
    forget(id);
  }

  function forget(id: string): void {
    options.orders?.left(id);
    trees.get(id)?.leave();
    trees.delete(id);
    sessions.delete(id);
  }

  /** Before the other one is told of, which by then is the only one of its name. */
  function leaveAllBut(root: string): void {
    for (const [id, tree] of trees) {
      if (id === root || !tree.isIdle()) continue;
      tree.end();
      trees.delete(id);
      options.orders?.left(id);
    }
  }

  function treeOf(root: string, session: Session): Tree {
    const known = trees.get(root);
    if (known) return known;
    const tree = createTree({
      // Looked up each time: it may be met only after its subagent.
      outcome: () => sessions.get(root)?.outcome,
      report(report) {
        const { folder } = sessions.get(root) ?? session;
        options.reports.state({ ...originOf({ id: root, folder }), ...report });
      },
      asked: (heard, over, tell) => options.asked?.({ session: root, heard, over, tell }),
    });
    trees.set(root, tree);
    return tree;
  }

  function originOf({ id, folder }: Pick<Session, "id" | "folder">): ReportOrigin {
    const { source, pid } = options;
    return { source, session: id, ...placeOf(folder ?? options.folder, id), pid };
  }

  return {
    hear,
    close() {
      for (const tree of trees.values()) tree.end();
      trees.clear();
      options.orders?.close();
      sessions.clear();
    },
  };
}
