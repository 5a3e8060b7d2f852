/**
 * The harness's dialogs, seen as they open and closed from outside. Neither harness has a door for that: its functions on `ctx.ui` are
 * replaced by ones that call them and take another's value, too (Pi 1.6.0, omp 18.2.3). Where that cannot be done all stays as it is.
 */
import { field } from "@moth-companion/core/fields";

/** Functions that open a dialog, and where among their arguments the options are that may hold a signal. */
const OPTIONS_AT = { select: 2, confirm: 2, input: 2, askDialog: 1 } as const;
type DialogKind = keyof typeof OPTIONS_AT;

/** A dialog on the person's screen. */
export interface Dialog {
  kind: DialogKind;
  /** What it was opened with. */
  args: readonly unknown[];
  /** Aborted once it is over, however that came. */
  over: AbortSignal;
  /** Ends it as if the person had given this value. Returns false when it is over already. */
  close(value: unknown): boolean;
}

export interface DialogWatch {
  /** Whether dialogs are looked at; asked at each. While not, they are the harness's own. */
  isOn: () => boolean;
  opened: (dialog: Dialog) => void;
}

/** Watches the dialogs of a `ctx.ui` from now on. Returns how to stop. */
export function watchDialogs(ui: unknown, watch: DialogWatch): () => void {
  if (typeof ui !== "object" || ui === null) return () => {};
  const undo = (Object.keys(OPTIONS_AT) as DialogKind[]).map((kind) => replace(ui, kind, watch));
  return () => {
    for (const one of undo) one();
  };
}

function replace(ui: object, kind: DialogKind, { isOn, opened }: DialogWatch): () => void {
  // By its descriptor: in omp `ctx.ui` is a proxy whose getters call what is there at the time, so a function got from it would call ours.
  const property = Object.getOwnPropertyDescriptor(ui, kind);
  const original: unknown = property?.value;
  if (typeof original !== "function" || property?.writable !== true) return () => {};
  function opens(this: unknown, ...args: unknown[]): unknown {
    const show = (given: unknown[]): unknown => Reflect.apply(original as () => unknown, this, given);
    return isOn() ? race(kind, args, show, opened) : show(args);
  }
  Object.defineProperty(ui, kind, { ...property, value: opens });
  return () => {
    // Another may have put its own around it by now.
    if (Object.getOwnPropertyDescriptor(ui, kind)?.value === opens) Object.defineProperty(ui, kind, property);
  };
}

/** Shows a dialog that either the person or `close` ends, whoever is first. */
function race(
  kind: DialogKind,
  args: readonly unknown[],
  show: (args: unknown[]) => unknown,
  opened: (dialog: Dialog) => void,
): Promise<unknown> {
  const closing = new AbortController();
  const over = new AbortController();
  const at = OPTIONS_AT[kind];
  const options = args[at];
  const own = field(options, "signal");
  if (own instanceof AbortSignal) {
    if (own.aborted) closing.abort();
    else own.addEventListener("abort", () => closing.abort(), { once: true, signal: over.signal });
  }
  const given = [...args];
  given[at] = { ...(options as object | undefined), signal: closing.signal };
  const shown = show(given);
  const end = (how: () => void): boolean => {
    if (over.signal.aborted) return false;
    over.abort();
    how();
    return true;
  };
  return new Promise((resolve, reject) => {
    Promise.resolve(shown).then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
    const close = (value: unknown): boolean => {
      const isFirst = end(() => resolve(value));
      if (isFirst) closing.abort();
      return isFirst;
    };
    try {
      opened({ kind, args, over: over.signal, close });
    } catch {
      // Then it is the person's alone.
    }
  });
}
