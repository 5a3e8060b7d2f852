import type { AnswerEvent, CardEvent, OrderEvent, SayEvent, ToolEvent } from "@moth-companion/core/protocol";
import { replyText } from "@moth-companion/core/text";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { render } from "./markdown.ts";
import type { Card, Item } from "./model.ts";
import { answerWords, firstLine, shortDuration, speaker, verb } from "./words.ts";

/** A longer reply shows its beginning first: laying out 64 KB takes a while, and few are read. */
const FIRST_PART = 6000;

/** Under a reply as short as this, the sentence that moth's line is about need not be shown again. */
const SHORT = 240;

const WHY_SKIPPED = {
  batch: "another turn was more interesting",
  rate: "moth had just spoken",
  voice: "moth had nothing to say",
};

export function ItemView({ item }: { item: Item }) {
  if (item.kind === "chat")
    return (
      <p class="chat">
        <Who name="you" time={item.chat.time} /> {item.chat.text}
      </p>
    );
  if (item.kind === "tool") return <Tool tool={item.tool} />;
  if (item.kind === "say") return <Say say={item.say} showQuote />;
  if (item.kind === "answer") return <Answered answer={item.answer} />;
  if (item.kind === "order") return <Told order={item.order} />;
  return item.skip ? <Skipped item={item} /> : <Whole item={item} />;
}

function Whole({ item }: { item: Card }) {
  const { card, say, tools = [] } = item;
  return (
    <article class={`card ${card.class}`} aria-labelledby={`card-${item.id}`}>
      <h3 id={`card-${item.id}`}>
        {speaker(card)} <span class="verb">{verb(card)}…</span> <Time at={card.time} />
        {card.took !== undefined && card.took >= 1000 && <span class="faint"> after {shortDuration(card.took)}</span>}
      </h3>
      <Reply card={card} />
      <Tools tools={tools} />
      {say && <Say say={say} showQuote={card.text.length > SHORT} />}
    </article>
  );
}

/** Folded to a line; the reply is laid out when it is opened. */
function Skipped({ item }: { item: Card }) {
  const { card, tools = [] } = item;
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card skipped" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="speaker">{speaker(card)}</span> {verb(card)}: {firstLine(replyText(card))}
      </summary>
      {isOpen && (
        <>
          <p class="faint">
            <Time at={card.time} /> · skipped: {WHY_SKIPPED[item.skip ?? "batch"]}
          </p>
          <Reply card={card} />
          <Tools tools={tools} />
        </>
      )}
    </details>
  );
}

function Reply({ card }: { card: CardEvent }) {
  const text = replyText(card);
  // Of one that moth was told nothing of, this is all there is to say.
  const chars = card.text === "" ? undefined : card.chars;
  const [isWhole, setWhole] = useState(text.length <= FIRST_PART * 1.2);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(render(isWhole ? text : beginning(text)));
  }, [text, isWhole]);
  return (
    <>
      <div class="reply" dir="auto" ref={place} />
      {!isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          {chars === undefined ? "Show all of it" : "Show what moth has of it"} ({text.length.toLocaleString("en")}
          {chars !== undefined && ` of ${chars.toLocaleString("en")}`} characters)
        </button>
      )}
      {isWhole && chars !== undefined && (
        <p class="faint">
          moth was told the first {text.length.toLocaleString("en")} of {chars.toLocaleString("en")} characters. The rest is in
          its window.
        </p>
      )}
    </>
  );
}

function Say({ say, showQuote }: { say: SayEvent; showQuote: boolean }) {
  return (
    <div class="say">
      <Who name="moth" time={say.time} /> {say.text}
      {showQuote && say.quote && <q class="faint">{say.quote}</q>}
    </div>
  );
}

/** What was answered through moth, from where and when. */
function Answered({ answer }: { answer: AnswerEvent }) {
  const { choice, text, by } = answer;
  return (
    <p class="answered" dir="auto">
      <span class="speaker">{speaker(answer)}</span> {answerWords(answer)} {choice !== undefined && <b>{choice}</b>}
      {text && <q>{text}</q>}{" "}
      <span class="faint">
        ({by}) <Time at={answer.time} />
      </span>
    </p>
  );
}

/** What a session was made to do through moth, from where and when. */
function Told({ order }: { order: OrderEvent }) {
  return (
    <p class="answered" dir="auto">
      <span class="speaker">{speaker(order)}</span>{" "}
      {order.do === "abort" ? (
        "was told to stop"
      ) : (
        <>
          was told: <q>{order.text}</q>
        </>
      )}{" "}
      <span class="faint">
        ({order.by}) <Time at={order.time} />
      </span>
    </p>
  );
}

function Tools({ tools }: { tools: readonly ToolEvent[] }) {
  return (
    <>
      {tools.map((tool) => (
        <Tool key={tool.id} tool={tool} />
      ))}
    </>
  );
}

/** What moth did in its home, as one would type it. */
function Tool({ tool }: { tool: ToolEvent }) {
  return (
    <p class="tool" dir="auto">
      <code>$ {tool.text}</code>
      {tool.error !== undefined && <em> ({tool.error})</em>}
    </p>
  );
}

function Who({ name, time }: { name: string; time: number }) {
  return (
    <b class="who" title={new Date(time).toLocaleTimeString()}>
      {name}
    </b>
  );
}

function Time({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time class="faint" dateTime={date.toISOString()}>
      {date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
    </time>
  );
}

/** Up to the end of a line, where there is one near; an open code block is closed again. */
function beginning(text: string): string {
  const cut = text.slice(0, FIRST_PART).replace(/[\ud800-\udbff]$/, "");
  const line = cut.lastIndexOf("\n");
  const part = line > FIRST_PART / 2 ? cut.slice(0, line) : cut;
  return (part.match(/^\s*```/gm)?.length ?? 0) % 2 === 1 ? `${part}\n\`\`\`` : `${part} …`;
}
