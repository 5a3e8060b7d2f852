import type { Session } from "@moth-companion/core/protocol";
import { useEffect, useState } from "preact/hooks";
import type { Filter } from "./model.ts";
import { sessionName, shortDuration, shortName, sortSessions, stateWords } from "./words.ts";

interface Props {
  sessions: readonly Session[];
  chosen: Filter | undefined;
  choose: (filter: Filter | undefined) => void;
}

/** Who is there, those that wait first. Each is a button that shows that session's cards alone. */
export function Roster({ sessions, chosen, choose }: Props) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  const { shown, folded } = sortSessions(sessions, now);
  const isTheChosen = ({ source, session }: Session): boolean => chosen?.source === source && chosen.session === session;
  const rows = [...shown, ...(isOpen ? folded : folded.filter(isTheChosen))];
  return (
    <nav class="roster" aria-label="Sessions">
      {sessions.length === 0 && (
        <p class="faint">No session yet. One shows when an agent that moth is hooked into does something.</p>
      )}
      <ul>
        {rows.map((session) => {
          const isChosen = isTheChosen(session);
          return (
            <li key={`${session.source} ${session.session}`}>
              <button
                type="button"
                class={`session ${session.state}`}
                aria-pressed={isChosen}
                title={isChosen ? "Show all sessions" : "Show this session alone"}
                onClick={() => choose(isChosen ? undefined : session)}
              >
                <span class="mark" aria-hidden="true" />
                <span class="name">
                  {sessionName(session)}
                  {session.unread && <span class="unread"> new</span>}
                </span>
                <span class="harness">{shortName(session.source)}</span>
                <span class="state">{stateWords(session)}</span>
                <span class="age">{shortDuration(now - session.since)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {folded.length > 0 && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Fewer that are gone" : `${folded.length} more that ${folded.length === 1 ? "is" : "are"} gone`}
        </button>
      )}
      {chosen && (
        <button type="button" class="quiet" onClick={() => choose(undefined)}>
          Show all sessions
        </button>
      )}
    </nav>
  );
}

/** The time, new every second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
