/**
 * moth's extension for Copilot CLI: a process of its own that Copilot starts for each conversation, and ends with it. Seen on 1.0.102;
 * `docs/harness/copilot.md` tells what was seen.
 */
import { answersOn } from "@moth-companion/core/config";
import { answerThroughMoth, SOURCE } from "./answering.ts";
import { takeOrders } from "./orders.ts";
import { join, type JoinSession } from "./session.ts";

/** Resolved by Copilot. */
const SDK: string = "@github/copilot-sdk/extension";

async function main(): Promise<void> {
  // Copilot waits at its start until an extension has joined or ended.
  if (!answersOn()) process.exit(0);
  const { joinSession } = (await import(SDK)) as { joinSession: JoinSession };
  const session = await join(joinSession);
  answerThroughMoth(session);
  takeOrders(session, SOURCE);
}

// Without words: what an extension prints is for Copilot.
main().catch(() => process.exit(0));
