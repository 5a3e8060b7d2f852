/** Every route there is. One that is added here is described in `packages/server/openapi/operations.ts`. */
import {
  type ChatAnswer,
  type HealthAnswer,
  type OpenAnswer,
  PROTOCOL,
  type TakenAnswer,
  type TurnAnswer,
} from "@moth-companion/core/protocol";
import { json } from "./answer.ts";
import { ANSWER_REFUSALS } from "./answering.ts";
import { enter, frontDoor, opened } from "./entrance.ts";
import { fetchAnswer, fetchOrder } from "./fetches.ts";
import { ORDER_REFUSALS } from "./ordering.ts";
import { events, last, log, roster, says } from "./reads.ts";
import { get, post, type Route, single } from "./route.ts";
import {
  answerBody,
  chatBody,
  emptyBody,
  enterBody,
  muteBody,
  orderBody,
  resetBody,
  seenBody,
  stateBody,
  takenBody,
  turnBody,
} from "./schema.ts";

/** By path. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "/": get({ needs: "nothing" }, frontDoor),
  "/open": get({ needs: "nothing", query: ["key"] }, opened),
  "/api/open": post({ needs: "token", body: emptyBody }, (_nothing, { keys }, { headers }): OpenAnswer => ({
    url: `http://${single(headers["host"])}/open?key=${keys.invite()}`,
  })),
  "/api/enter": post({ needs: "link", body: enterBody, refusals: ["LINK"] }, enter),
  "/api/health": get({ needs: "nothing" }, ({ cors }, { version, pid }) => ({
    answer: json({ name: "moth", version, protocol: PROTOCOL, pid } satisfies HealthAnswer, cors),
  })),
  "/api/says": get(
    {
      needs: "nothing",
      readers: "public",
      query: ["since", "epoch", "source", "session", "after", "wait"],
      refusals: ["BAD_QUERY", "BUSY"],
    },
    says,
  ),
  "/api/sessions": get({ needs: "page" }, roster),
  "/api/last": get({ needs: "page", query: ["source", "session"], refusals: ["NO_SESSION"] }, last),
  "/api/log": get({ needs: "page", query: ["since", "epoch", "wait"], refusals: ["BAD_QUERY", "BUSY"] }, log),
  "/api/events": get({ needs: "page", query: ["since", "epoch"], refusals: ["BAD_QUERY", "BUSY"] }, events),
  "/api/agent": post({ needs: "token", body: turnBody }, (report, { heard, moth }): TurnAnswer => {
    heard.note(report.source);
    return moth.turn(report) ? { ok: true } : { ok: true, duplicate: true };
  }),
  "/api/state": post({ needs: "token", body: stateBody }, (report, { heard, moth }) => {
    heard.note(report.source);
    moth.state(report);
  }),
  "/api/chat": post({ needs: "page", body: chatBody }, ({ text }, { moth }): ChatAnswer => ({ ok: true, ...moth.chat(text) })),
  "/api/answer": post({ needs: "page", body: answerBody, refusals: ANSWER_REFUSALS }, (request, { answering }) =>
    answering.answer(request),
  ),
  "/api/order": post({ needs: "page", body: orderBody, refusals: ORDER_REFUSALS }, (request, { ordering }) =>
    ordering.order(request),
  ),
  "/api/answers": get(
    { needs: "token", query: ["source", "session", "wait", "for"], refusals: ["BAD_QUERY", "BUSY"] },
    fetchAnswer,
  ),
  "/api/orders": get(
    { needs: "token", query: ["source", "session", "takes", "for"], refusals: ["BAD_QUERY", "BUSY"] },
    fetchOrder,
  ),
  "/api/taken": post({ needs: "token", body: takenBody }, ({ id, taken }, { answerBox, orderBox }): TakenAnswer => ({
    ok: answerBox.taken(id, taken) || orderBox.taken(id, taken),
  })),
  "/api/reset": post({ needs: "page", body: resetBody }, ({ everything }, { moth }) => moth.reset(everything)),
  "/api/seen": post({ needs: "page", body: seenBody }, ({ whom }, { moth }) => moth.attention.seen(whom)),
  "/api/mute": post({ needs: "page", body: muteBody }, ({ whom, seconds, off }, { moth }) =>
    off ? moth.attention.unmute(whom) : moth.attention.mute(whom, seconds),
  ),
  "/api/notify": get({ needs: "page" }, ({ cors }, { moth }) => ({ answer: json(moth.attention.status(), cors) })),
  "/api/notify/test": post({ needs: "token", body: emptyBody }, (_nothing, { moth }) => moth.attention.test()),
};
