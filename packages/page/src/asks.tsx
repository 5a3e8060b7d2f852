import { type Answer, CHOICES, type Session, type Wait } from "@moth-companion/core/protocol";
import { useState } from "preact/hooks";
import { send } from "./feed.ts";
import { speaker, waitWords } from "./words.ts";

type Waiting = Session & { state: "waiting" };

/** Characters of a command that a button can name whole. */
const NAMEABLE = 60;

/** What the sessions ask, where it can be answered from here, or why not. Nothing of it can be taken back, so each button names what it does. */
export function Asks({ sessions }: { sessions: readonly Session[] }) {
  const asking = sessions.filter(
    (session): session is Waiting => session.state === "waiting" && (session.wait.answerable || session.wait.why !== undefined),
  );
  if (asking.length === 0) return null;
  // As in the roster: who waits longest, first.
  asking.sort((a, b) => a.since - b.since);
  return (
    <section class="asks" aria-label="What agents ask you">
      {asking.map((session) => {
        // Another wait is another form: what was typed for the last one must not answer the next.
        const key = `${session.source} ${session.session} ${session.wait.id}`;
        return session.wait.answerable ? <Ask key={key} session={session} /> : <Elsewhere key={key} session={session} />;
      })}
    </section>
  );
}

/** What is to be answered in the session's own window. */
function Elsewhere({ session }: { session: Waiting }) {
  return (
    <p class="elsewhere">
      <b>{speaker(session)}</b> waits for {waitWords(session.wait)} in its own window.{" "}
      <span class="faint">{session.wait.why}</span>
    </p>
  );
}

function Ask({ session }: { session: Waiting }) {
  const { source, wait } = session;
  const [problem, setProblem] = useState("");
  const [words, setWords] = useState("");
  const [isSent, setSent] = useState(false);
  const name = speaker(session);

  const answer = async (given: Answer): Promise<void> => {
    setSent(true);
    setProblem("");
    try {
      await send("/api/answer", { source, session: session.session, wait: wait.id, ...given, by: "page" });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSent(false);
    }
  };
  const own = words.trim();
  return (
    <article class="ask" aria-label={`${name} asks`}>
      <h2>
        {name} {wait.kind === "plan" ? "asks for a yes to its plan" : wait.kind === "question" ? "asks you" : "asks to run"}
      </h2>
      {wait.text && <pre>{wait.text}</pre>}
      <div class="buttons">
        {choicesOf(wait).map((choice) => (
          <button key={choice} type="button" disabled={isSent} onClick={() => void answer({ choice })}>
            {caption(choice, wait)}
          </button>
        ))}
      </div>
      {wait.kind !== "permission" && (
        <form
          class="line"
          onSubmit={(event) => {
            event.preventDefault();
            if (own !== "") void answer(wait.kind === "plan" ? { choice: "reject", text: own } : { text: own });
          }}
        >
          <input
            value={words}
            aria-label={wait.kind === "plan" ? `What ${name} should plan otherwise` : `Your own answer to ${name}`}
            placeholder={wait.kind === "plan" ? "Reject it, and say why" : "Answer in your own words"}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button type="submit" disabled={isSent || own === ""}>
            {wait.kind === "plan" ? "Reject with these words" : "Answer"}
          </button>
        </form>
      )}
      {problem && <p role="alert">{problem}</p>}
    </article>
  );
}

function choicesOf(wait: Wait): readonly string[] {
  return wait.options ?? CHOICES[wait.kind];
}

/** What the button does. Words of the agent's stand in it only where they are shown whole. */
function caption(choice: string, { kind, options, text = "" }: Wait): string {
  if (options) return choice;
  const isNameable = text !== "" && text.length <= NAMEABLE && !text.includes("\n");
  switch (choice) {
    case "allow":
      return isNameable ? `Allow: ${text}` : "Allow what stands above";
    case "deny":
      return "Deny it";
    case "approve":
      return "Approve this plan";
    case "reject":
      return kind === "plan" ? "Reject this plan" : choice;
    default:
      return choice;
  }
}
