/**
 * A hook of an administrator: it tells the model which session asks, where a harness does not do so by itself, so that a test can tell
 * whose request it sees.
 */
import { readFileSync } from "node:fs";

const { session_id: session, hook_event_name: hookEventName } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: `Session ID: ${session}` } }));
