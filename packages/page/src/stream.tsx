import type { VNode } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ItemView } from "./card.tsx";
import type { Item } from "./model.ts";
import { hold, newer, NEWEST, older, partOf, type Window } from "./window.ts";

/** Within this many pixels of the end the page follows. */
const NEAR_END = 48;

/** What an item looks like is made once: the same element again tells Preact that nothing changed. */
const drawn = new WeakMap<Item, VNode>();
function draw(item: Item): VNode {
  let element = drawn.get(item);
  if (!element) {
    element = (
      <li key={item.id} data-id={item.id}>
        <ItemView item={item} />
      </li>
    );
    drawn.set(item, element);
  }
  return element;
}

/** What was said, the newest below. It follows the newest until the person scrolls up, then it stands still. */
export function Stream({ items, hasFilter }: { items: readonly Item[]; hasFilter: boolean }) {
  const place = useRef<HTMLElement>(null);
  const [window, setWindow] = useState<Window>(NEWEST);
  const anchor = useRef<{ id: string; top: number } | undefined>(undefined);
  const { shown, older: before, newer: after } = partOf(items, window);
  const isFollowing = window.at === "end";

  /** Where the page put itself last. Above it, the person has scrolled, and the browser has not told yet. */
  const end = useRef(0);
  const toEnd = useCallback(() => {
    const at = place.current;
    if (!at || at.scrollTop < Math.min(end.current, at.scrollHeight - at.clientHeight) - NEAR_END) return;
    at.scrollTop = at.scrollHeight;
    end.current = at.scrollTop;
  }, []);

  useLayoutEffect(() => {
    const kept = anchor.current;
    anchor.current = undefined;
    if (isFollowing) return toEnd();
    const element = kept && place.current?.querySelector(`[data-id="${kept.id}"]`);
    if (element && place.current) place.current.scrollTop += element.getBoundingClientRect().top - kept.top;
  });

  useLayoutEffect(() => {
    if (!isFollowing || !place.current) return undefined;
    const watch = new ResizeObserver(toEnd);
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [isFollowing, toEnd]);

  const follow = (): void => {
    end.current = 0;
    setWindow(NEWEST);
  };

  const onScroll = ({ currentTarget: at }: { currentTarget: HTMLElement }): void => {
    const isAtEnd = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_END;
    if (isFollowing && !isAtEnd) setWindow(hold(items, window));
    else if (!isFollowing && isAtEnd && after === 0) follow();
  };

  /** Changes the window while what the person looks at stays where it is. */
  const move = (step: typeof older): void => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    const visible = [...(place.current?.querySelectorAll<HTMLElement>("li[data-id]") ?? [])].find(
      (element) => element.getBoundingClientRect().bottom > top,
    );
    if (visible) anchor.current = { id: visible.dataset["id"]!, top: visible.getBoundingClientRect().top };
    setWindow(step(items, window));
  };

  return (
    <main class="stream" ref={place} onScroll={onScroll} tabIndex={0} aria-label="What was said">
      <h2 class="only-read">What was said</h2>
      {before > 0 && (
        <button type="button" class="quiet wide" onClick={() => move(older)}>
          Older ({before.toLocaleString("en")})
        </button>
      )}
      {items.length === 0 && (
        <p class="faint empty">
          {hasFilter ? "This session has said nothing yet." : "Nothing was said yet. It shows here as it comes."}
        </p>
      )}
      <ol>{shown.map(draw)}</ol>
      {after > 0 && (
        <div class="below">
          <button type="button" class="quiet" onClick={() => move(newer)}>
            Newer
          </button>
          <button type="button" onClick={follow}>
            {after.toLocaleString("en")} new ↓
          </button>
        </div>
      )}
    </main>
  );
}
