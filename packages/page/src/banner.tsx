import type { Session } from "@moth-companion/core/protocol";
import { MOTH } from "./command-name.ts";
import type { Link } from "./feed.ts";
import { NewChat } from "./new-chat.tsx";
import { summary } from "./words.ts";

interface Props {
  link: Link;
  sessions: readonly Session[];
  skipped: number;
  isAway: boolean;
}

export function Banner({ link, sessions, skipped, isAway }: Props) {
  return (
    <header class="banner">
      <h1>
        <span class={`lamp ${link === "asleep" ? "lamp-out" : ""}`} aria-hidden="true" /> moth
      </h1>
      <p class="summary">{link === "asleep" ? "" : summary(sessions, skipped)}</p>
      <NewChat isOpen={link === "live"} />
      {link === "live" && isAway && (
        <p class="away" role="status">
          You are away: some agents ask here alone. Back at their windows? <code>{MOTH} config away off</code>
        </p>
      )}
      {link === "asleep" && (
        <p class="asleep" role="alert">
          moth is asleep. This page waits for it; <code>{MOTH} up -d</code> wakes it.
        </p>
      )}
    </header>
  );
}
