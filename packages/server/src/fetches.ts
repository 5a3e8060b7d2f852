/** The long polls of adapters that stand at their harness's door: for the person's answers, and for their orders. */
import { cleanId } from "@moth-companion/core/text";
import { type Answer, json, refuse } from "./answer.ts";
import type { AnswerBox } from "./answer-box.ts";
import type { OrderBox } from "./order-box.ts";
import { takesOf, waitOf } from "./query.ts";

interface Asked {
  query: URLSearchParams;
  cors: Record<string, string>;
  onClose: (fn: () => void) => void;
}

/** Decides nothing by itself: reads what is asked for, and hands out what there is. */
export function createFetches({ answerBox, orderBox }: { answerBox: AnswerBox; orderBox: OrderBox }): {
  answers: (asked: Asked) => Answer | Promise<Answer>;
  orders: (asked: Asked) => Answer | Promise<Answer>;
} {
  return {
    answers({ query, cors, onClose }) {
      const seconds = waitOf(query, "for");
      const [source, wait] = [query.get("source"), query.get("wait")];
      if (typeof seconds === "string") return refuse("BAD_QUERY", seconds, cors);
      if (!source || !wait) return refuse("BAD_QUERY", "source and wait: must name the wait to be answered", cors);
      if (!answerBox.hasRoom) return refuse("BUSY", "Too many adapters wait for answers. Ask again later.", cors);
      const of = { source: cleanId(source), session: cleanId(query.get("session") ?? ""), wait: cleanId(wait) };
      return answerBox.fetch(of, { ms: seconds * 1000, onClose }).then((answer) => json(answer, cors));
    },
    orders({ query, cors, onClose }) {
      const seconds = waitOf(query, "for");
      const source = query.get("source");
      const takes = takesOf(query);
      if (typeof seconds === "string") return refuse("BAD_QUERY", seconds, cors);
      if (!source) return refuse("BAD_QUERY", "source: must be given", cors);
      if (takes.length === 0) return refuse("BAD_QUERY", "takes: must be prompt, abort or both, with a comma", cors);
      if (!orderBox.hasRoom) return refuse("BUSY", "Too many adapters wait for orders. Ask again later.", cors);
      const of = { source: cleanId(source), session: cleanId(query.get("session") ?? "") };
      return orderBox.fetch(of, takes, { ms: seconds * 1000, onClose }).then((order) => json(order, cors));
    },
  };
}
