/** The tool calls of an answer, which may come in pieces. */
import type { Call } from "./home/tools.ts";

/** Calls in one answer that are looked at. */
const MAX_CALLS = 4;

export interface Calls {
  /** An answer's `tool_calls`, or one piece of a stream's. */
  take(given: unknown): void;
  all(): Call[];
}

interface Piece {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

export function createCalls(): Calls {
  const calls: (Call & { index: unknown })[] = [];

  /** Which call a piece goes on with. Ollama 0.20 gives all calls of an answer the same index (its issue 15457), so an id says more. */
  function known({ index, id, function: called }: Piece): Call | undefined {
    if (typeof id === "string" && id !== "") return calls.find((call) => call.id === id);
    if (index !== undefined) return calls.findLast((call) => call.index === index);
    return called?.name ? undefined : calls.at(-1);
  }

  function piece(given: Piece): void {
    let call = known(given);
    if (!call) {
      const begun = { index: given.index, id: typeof given.id === "string" ? given.id : "", name: "", args: "" };
      calls.push(begun);
      call = begun;
    }
    const { name, arguments: args } = given.function ?? {};
    if (typeof name === "string" && call.name === "") call.name = name;
    if (typeof args === "string") call.args += args;
    // Ollama's own dialect has them as an object.
    else if (typeof args === "object" && args !== null) call.args = JSON.stringify(args);
  }

  return {
    take(given) {
      if (!Array.isArray(given)) return;
      for (const one of given as unknown[]) {
        if (typeof one === "object" && one !== null && calls.length <= MAX_CALLS) piece(one);
      }
    },
    all: () => calls.slice(0, MAX_CALLS).map(({ id, name, args }, at) => ({ id: id || `call_${at}`, name, args })),
  };
}
