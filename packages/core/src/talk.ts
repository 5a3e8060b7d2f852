import { type Answered, ask } from "./ask.ts";
import { mothAddress } from "./config.ts";
import { type Remark, toRemark } from "./own-line.ts";
import { runsHere } from "./own-moth.ts";
import type { Env } from "./paths.ts";
import { MAX_BODY_BYTES } from "./protocol.ts";
import { cleanText } from "./text.ts";

/** Milliseconds a reply is waited for: a voice may think for 8 s. */
const REPLY_MS = 15_000;
const POST_MS = 2000;

/** moth's reply, or one sentence for the person that says why there is none. */
export type Talk = ({ ok: true } & Remark) | { ok: false; problem: string };

export interface TalkOptions {
  env?: Env;
  /** Ends the waiting early. */
  signal?: AbortSignal;
}

/** Says something to moth, from a field or a command inside a harness, and waits for the reply. Never throws. */
export async function talk(text: string, { env, signal }: TalkOptions = {}): Promise<Talk> {
  const words = cleanText(text).trim();
  if (words === "") return { ok: false, problem: "There is nothing to say. Write a few words." };
  if (Buffer.byteLength(JSON.stringify(words)) > MAX_BODY_BYTES - 64)
    return { ok: false, problem: "That is too long for moth. Say it shorter." };
  const options = { signal, ...(env && { env }) };
  const posted = await ask("/api/chat", { text: words }, { timeoutMs: POST_MS, ...options });
  if (!posted) return { ok: false, problem: unheard(env) };
  const place = posted.body as { chat?: unknown; epoch?: unknown };
  if (posted.status !== 200 || typeof place.chat !== "number" || typeof place.epoch !== "string") {
    return { ok: false, problem: refusal(posted) };
  }
  return await replyTo(place.chat, place.epoch, options);
}

function unheard(env: Env | undefined): string {
  const address = mothAddress(env);
  return address && runsHere(address, env)
    ? "moth is busy and did not answer. Say it again in a moment."
    : "moth is asleep. Wake it in a terminal with: moth up -d";
}

async function replyTo(chat: number, epoch: string, options: { env?: Env; signal: AbortSignal | undefined }): Promise<Talk> {
  const until = Date.now() + REPLY_MS;
  let since = chat + 1;
  while (Date.now() < until && !options.signal?.aborted) {
    const left = until - Date.now();
    const query = new URLSearchParams({ since: String(since), epoch, wait: String(left / 1000) });
    // oxlint-disable-next-line no-await-in-loop -- each poll goes on where the last one ended
    const polled = await ask(`/api/log?${query.toString()}`, undefined, { timeoutMs: left + 1000, ...options });
    if (polled?.status !== 200) break;
    const log = polled.body as { epoch?: unknown; next?: unknown; events?: unknown };
    // Another epoch: the log was forgotten, and the reply with it.
    if (log.epoch !== epoch || typeof log.next !== "number" || !Array.isArray(log.events)) break;
    const said = (log.events as { kind?: unknown; chat?: unknown }[]).find(
      (event) => event.kind === "say" && event.chat === chat,
    );
    const remark = toRemark(said);
    if (remark) return { ok: true, ...remark };
    since = log.next;
  }
  return { ok: false, problem: "moth had nothing to say to that." };
}

function refusal({ body }: Answered): string {
  const { error } = body as { error?: { message?: unknown } };
  return typeof error?.message === "string" ? error.message : "What answers at moth's address is not moth. See: moth doctor";
}
