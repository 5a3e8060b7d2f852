/** What the person has the session do from outside: take a prompt, or end its turn. Only while answers are on. */
import { listenForOrders, type OrderTaken } from "@moth-companion/core/orders";
import type { Env } from "@moth-companion/core/paths";
import type { Order } from "@moth-companion/core/protocol";
import type { Session } from "./session.ts";

/** After each of these it is looked whether answers were turned on, or moth is back. */
const MOMENTS: ReadonlySet<string> = new Set(["user.message", "assistant.turn_end", "session.idle"]);

export function takeOrders(session: Session, source: string, env: Env = process.env): void {
  const take = async ({ do: what, text = "" }: Order): Promise<OrderTaken> => {
    try {
      await (what === "abort" ? session.abort() : session.send(text));
      return { taken: true };
    } catch {
      return { taken: false, problem: "Copilot did not take it. Look at its window." };
    }
  };
  const listener = listenForOrders({ source, session: session.id, takes: ["prompt", "abort"], take, env });
  session.listen(({ type, isAgents }) => {
    if (MOMENTS.has(type) && !isAgents) listener.look();
  });
  listener.look();
}
