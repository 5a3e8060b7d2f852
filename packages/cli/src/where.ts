import { parsePane } from "@moth-companion/core/pane";
import { Failure } from "./errors.ts";

/** Where a session's pane is, in words: `tmux %3`; nothing of how that one is reached. */
export function placeOf(pane: string | undefined): string | undefined {
  const known = pane === undefined ? undefined : parsePane(pane);
  return known ? `${known.kind} ${known.id}` : pane;
}

/** For what is refused since it is done in the session's own window: which one that is, where moth knows. */
export function whereItRuns(pane: string | undefined): (error: unknown) => never {
  return (error) => {
    const place = placeOf(pane);
    if (error instanceof Failure && error.next === "" && place !== undefined)
      throw new Failure(error.code, error.message, `Its window: ${place}`, error);
    throw error;
  };
}
