import { useRef, useState } from "preact/hooks";
import { send } from "./feed.ts";

/** Forgets the log for every display, so it asks first. */
export function NewChat({ isOpen }: { isOpen: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState("");

  const forget = (): void => {
    send("/api/reset", {}).then(
      () => dialog.current?.close(),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  const ask = (): void => {
    setProblem("");
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" class="quiet" disabled={!isOpen} onClick={ask}>
        New chat
      </button>
      <dialog ref={dialog} aria-labelledby="new-chat">
        <h2 id="new-chat">Begin a new chat?</h2>
        <p>moth forgets what was said, here and in every other display. Your agents and the roster stay.</p>
        {problem && <p role="alert">{problem}</p>}
        <div class="buttons">
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
          <button type="button" onClick={forget}>
            Begin anew
          </button>
        </div>
      </dialog>
    </>
  );
}
