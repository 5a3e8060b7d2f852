import { expect, vi } from "vitest";
import type { SessionsAnswer } from "@moth-companion/core/protocol";
import type { RunningServer } from "../../src/server.ts";
import { get, post } from "../support.ts";

const CLAUDE = { source: "claude-code", session: "3f2a91bc", label: "moth-repo" };
const CODEX = { source: "codex", session: "019a7c", label: "api" };
const PI = { source: "pi", session: "8c1f3f2a", label: "notes" };
const OPENCODE = { source: "opencode", session: "ses_41", label: "web-shop" };

/** A morning with four agents: two wait, one works, one is done; a turn was let pass, and the person asked moth something. */
export async function fourSessions(server: RunningServer): Promise<void> {
  const state = (about: object, more: object): Promise<unknown> => post(server, "/api/state", { ...about, ...more });
  for (const about of [CLAUDE, CODEX, PI, OPENCODE]) await state(about, { state: "working" });
  await post(server, "/api/agent", {
    ...CLAUDE,
    text: `## The suite

I ran all 214 tests: **3 failed** in \`auth.test.ts\`, because the clock of the fake server stands still.

\`\`\`ts
// The token is good for an hour of the server's time.
const until = clock.now() + 3_600_000;
expect(token.isGood(until - 1)).toBe(true);
\`\`\`

| file | passed | failed |
|---|---:|---:|
| auth.test.ts | 9 | 3 |
| feed.test.ts | 31 | 0 |

Shall I let the fake clock run, or give the tests a clock of their own? See [the issue](https://example.com/issues/12).`,
  });
  await post(server, "/api/agent", {
    ...OPENCODE,
    text: "- [x] cart rounds to cents\n- [ ] shipping, to come\n\nDone with the first.",
  });
  await post(server, "/api/agent", { ...PI, text: "Sorted the notes of the week into three files." });
  await post(server, "/api/chat", { text: "who is at work?" });
  const wait = { id: "w1", kind: "permission", tool: "Bash", answerable: false };
  await state(CODEX, { state: "waiting", wait });
  await state(CLAUDE, { state: "waiting", wait: { id: "w2", kind: "question", answerable: false } });
  await state(OPENCODE, { state: "working" });
  // Waits show after a moment.
  await vi.waitFor(
    async () => {
      const { sessions } = await get<SessionsAnswer>(server, "/api/sessions");
      expect(sessions.filter((session) => session.state === "waiting")).toHaveLength(2);
    },
    { timeout: 20_000 },
  );
}
