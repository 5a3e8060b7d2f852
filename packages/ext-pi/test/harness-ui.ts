/** A `ctx.ui` as an event handler gets it, and the dialogs that it puts on the screen. */

/** A dialog as it stood on the screen. */
export interface Shown {
  kind: string;
  args: readonly unknown[];
  isOpen: boolean;
  /** The person ends it. */
  press: (value: unknown) => void;
}

type Show = (...args: unknown[]) => Promise<unknown>;
export type Ui = Record<"select" | "confirm" | "input" | "askDialog", Show>;

const SIGNAL_AT: Readonly<Record<keyof Ui, number>> = { select: 2, confirm: 2, input: 2, askDialog: 1 };

/**
 * @param change what a later version might do with it
 * @returns `ui` as in omp 18.2.3, a proxy that calls what its object has at the time; `own` is that object, which Pi 1.6.0 gives out itself
 */
export function harnessUi(change: (own: Ui) => Ui = (own) => own): { ui: Ui; own: Ui; screen: Shown[] } {
  const screen: Shown[] = [];
  const show =
    (kind: keyof Ui): Show =>
    (...args) =>
      new Promise((resolve) => {
        const { signal } = (args[SIGNAL_AT[kind]] ?? {}) as { signal?: AbortSignal };
        const press = (value: unknown): void => {
          dialog.isOpen = false;
          resolve(value);
        };
        const dialog: Shown = { kind, args, isOpen: true, press };
        screen.push(dialog);
        if (signal?.aborted) press(undefined);
        signal?.addEventListener("abort", () => press(undefined));
      });
  const made: Ui = { select: show("select"), confirm: show("confirm"), input: show("input"), askDialog: show("askDialog") };
  const own = change(made);
  const late = Object.fromEntries(
    Object.keys(made).map((kind) => [kind, (...args: unknown[]) => own[kind as keyof Ui](...args)]),
  ) as Ui;
  const ui = new Proxy(own, { get: (target, name) => Reflect.get(Object.hasOwn(late, name) ? late : target, name) as unknown });
  return { ui, own, screen };
}
