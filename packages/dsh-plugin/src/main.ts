/**
 * moth's plugin for dsh, a cordis plugin. Seen on dsh 0.1.0-rc.8; `docs/harness/dsh.md` tells what was seen.
 *
 * It never throws: a plugin that throws while it is applied keeps dsh from starting.
 */
import { createOutbox, type Outbox } from "@moth-companion/core/outbox";
import { createSessionOrders, type SessionOrders } from "@moth-companion/core/session-orders";
import { createAnswering } from "./answering.ts";
import { bringCommand, type Commands } from "./command.ts";
import type { ApiProxy } from "./dialogs.ts";
import { readHappening, readPlace } from "./door.ts";
import { createLines, type Lines } from "./lines.ts";
import { createListener } from "./listener.ts";
import { openOrderDoor } from "./orders.ts";
import { servePage, type WebServer } from "./page/serve.ts";

/** What the plugin uses of a cordis context. */
interface Host {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  /** What it returns is awaited when dsh ends, or the plugin is taken out. */
  effect(start: () => () => Promise<void> | void): unknown;
  /** Begins once there are such services: dsh has a web server only where it has a page. */
  inject?(services: string[], begin: (host: unknown) => void): unknown;
}

type WithPage = Host & { webServer: WebServer };
type WithDoor = Host & { apiProxy: ApiProxy };
type WithCommands = Host & { commands: Commands };

/** Milliseconds in which a subagent's news have begun the next turn of its session; 5 were seen. */
const NEWS_MS = 500;

export const name = "moth";

export function apply(host: Host): void {
  try {
    const outbox = createOutbox();
    const lines = createLines("dsh");
    const answering = createAnswering("dsh");
    let orders: SessionOrders | undefined;
    const listener = createListener({
      source: "dsh",
      pid: process.pid,
      reports: followed(outbox, lines, () => page),
      answering,
      orders: () => orders,
      later: (act) => void setTimeout(guarded(act), NEWS_MS).unref(),
    });
    const hear = guarded((session, event) => {
      const happening = readHappening(session, event);
      const place = happening && readPlace(session);
      if (place) listener.hear(place, happening);
    });
    const leave = guarded((session) => {
      const place = readPlace(session);
      if (place) listener.left(place);
    });
    host.on("session/event", hear);
    host.on("session/disposed", leave);
    host.effect(() => async () => {
      guarded(() => listener.close())();
      lines.close();
      await outbox.flush();
    });
    let page = false;
    const show = guarded((served) => {
      const there = served as WithPage;
      there.effect(() => servePage(there.webServer, lines));
      page = true;
    });
    host.inject?.(["webServer"], show);
    const answer = guarded((served) => {
      const there = served as WithDoor;
      there.effect(() => answering.enter(there.apiProxy));
      const door = openOrderDoor(there.apiProxy);
      if (!door) return;
      there.effect(() => {
        const own = createSessionOrders("dsh", door);
        orders = own;
        return () => {
          orders = undefined;
          own.close();
        };
      });
    });
    host.inject?.(["apiProxy"], answer);
    const listen = guarded((served) => {
      const there = served as WithCommands;
      there.effect(() => bringCommand(there.commands, lines));
    });
    host.inject?.(["webServer", "commands"], listen);
  } catch {
    // Then dsh works as it would without moth.
  }
}

/** The way out for reports, along which moth's lines are asked for. */
function followed(outbox: Outbox, lines: Lines, hasPage: () => boolean): Pick<Outbox, "turn" | "state"> {
  return {
    turn(report) {
      const at = Date.now();
      outbox.turn(report);
      if (hasPage() && report.session !== undefined) lines.ended(report.session, at);
    },
    state(report) {
      outbox.state(report);
      if (!hasPage() || report.session === undefined) return;
      if (report.state === "working" || report.state === "gone") lines.drop(report.session);
    },
  };
}

/** moth misses an event; dsh must not. */
function guarded(act: (...args: unknown[]) => void): (...args: unknown[]) => void {
  return (...args) => {
    try {
      act(...args);
    } catch {
      // An event of a shape nobody has seen.
    }
  };
}
