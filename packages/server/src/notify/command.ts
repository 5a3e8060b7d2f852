/** Any program of the person's, told by variables. */
import type { Env } from "@moth-companion/core/paths";
import type { Backend } from "./backend.ts";
import type { Notice } from "./notifier.ts";
import { runProgram } from "../run-program.ts";

/** @param argv the program and its arguments, as the person wrote them; nothing is put into them */
export function createCommandBackend(argv: readonly string[], env: Env): Backend {
  return {
    show: async (notice) => void (await runProgram(argv, commandEnv(env, notice, notice.about))),
    withdraw: async (notice) => void (await runProgram(argv, commandEnv(env, notice, "withdrawn"))),
  };
}

/** What a program is told; `docs/notifications.md` lists it. What is not known is empty, so that nothing is inherited. */
function commandEnv(env: Env, notice: Notice, event: string): Env {
  const { key, title, body, source = "", session = "", label = "", wait, worked, asked } = notice;
  return {
    ...env,
    MOTH_EVENT: event,
    MOTH_NOTICE: key,
    MOTH_TITLE: title,
    MOTH_BODY: body,
    MOTH_SOURCE: source,
    MOTH_SESSION: session,
    MOTH_LABEL: label,
    MOTH_WAIT: wait?.id ?? "",
    MOTH_WAITS_FOR: wait?.kind ?? "",
    MOTH_TOOL: wait?.tool ?? "",
    MOTH_SECONDS: worked === undefined ? "" : String(Math.round(worked / 1000)),
    MOTH_ASKED: asked?.text ?? "",
    MOTH_CHOICES: asked?.choices.join("\n") ?? "",
  };
}
