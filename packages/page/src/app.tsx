import type { Session } from "@moth-companion/core/protocol";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Asks } from "./asks.tsx";
import { Banner } from "./banner.tsx";
import { follow, type Link, type Listener, send } from "./feed.ts";
import { type Filter, createModel, filtered } from "./model.ts";
import { newsOf } from "./news.ts";
import { Locked } from "./locked.tsx";
import { Roster } from "./roster.tsx";
import { Stream } from "./stream.tsx";
import { Talk } from "./talk.tsx";
import { Tell } from "./tell.tsx";
import { countWaiting } from "./words.ts";

const keyOf = ({ source, session }: Filter): string => `${source} ${session}`;

/** @param entered once the link that the browser came by was swapped: false when it is good no more */
export function App({ entered }: { entered: Promise<boolean> }) {
  const model = useMemo(() => createModel(), []);
  const [, redraw] = useState(0);
  const [link, setLink] = useState<Link>("connecting");
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const [isAway, setIsAway] = useState(false);
  const [filter, setFilter] = useState<Filter>();
  const [news, setNews] = useState("");
  const [draft, setDraft] = useState("");
  /** What was begun to be written to each session, for as long as the page is open. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const wasLive = useRef(false);
  const isStaleLink = useRef(false);
  const refresh = useRef<() => void>(() => undefined);

  useEffect(() => {
    // What the page is handed first is history, and not read out.
    let isHistory = true;
    const listener: Listener = {
      link(now) {
        if (now === "live") wasLive.current = true;
        else isHistory = true;
        setLink(now);
      },
      cleared() {
        model.clear();
        isHistory = true;
        redraw((count) => count + 1);
      },
      events(events) {
        for (const event of events) model.add(event);
        redraw((count) => count + 1);
        const heard = isHistory ? undefined : newsOf(events);
        if (heard !== undefined) setNews(heard);
        isHistory = false;
      },
      sessions(now, away) {
        setSessions(now);
        setIsAway(away);
      },
    };
    const begin = async (): Promise<void> => {
      isStaleLink.current = !(await entered);
      refresh.current = follow(listener);
    };
    void begin();
  }, [model, entered]);

  const waiting = link === "locked" ? 0 : countWaiting(sessions);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) moth` : "moth";
  }, [waiting]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) setFilter(undefined);
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      document.querySelector("textarea")?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  /** Who is chosen has been looked at, and that holds in every display. */
  const choose = (to: Filter | undefined): void => {
    setFilter(to);
    if (!to) return;
    // Not heard, it stays unread: nothing is lost.
    send("/api/seen", { source: to.source, session: to.session }).then(refresh.current, () => undefined);
  };

  // A session that is gone from the roster can be filtered for no more.
  const chosen = sessions.find((one) => one.source === filter?.source && one.session === filter.session);
  const shown = useMemo(() => filtered(model.items, chosen), [model.version, chosen]);

  if (link === "locked") return <Locked why={wasLive.current ? "restarted" : isStaleLink.current ? "stale" : "closed"} />;
  return (
    <>
      <a class="skip-link" href="#talk">
        To the field where you talk to moth
      </a>
      <Banner link={link} sessions={sessions} skipped={model.skipped} isAway={isAway} />
      <Roster sessions={sessions} chosen={chosen} choose={choose} />
      {link === "live" && <Asks sessions={sessions} />}
      {link === "live" && chosen && (
        <Tell
          key={keyOf(chosen)}
          session={chosen}
          draft={drafts[keyOf(chosen)] ?? ""}
          setDraft={(change) => setDrafts((all) => ({ ...all, [keyOf(chosen)]: change(all[keyOf(chosen)] ?? "") }))}
        />
      )}
      <Stream key={chosen ? `${chosen.source} ${chosen.session}` : ""} items={shown} hasFilter={chosen !== undefined} />
      <Talk draft={draft} setDraft={setDraft} isOpen={link === "live"} />
      <p class="only-read" role="status">
        {news}
      </p>
    </>
  );
}
