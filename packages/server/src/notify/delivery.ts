/** Hands notices to the back-ends, one after the other, whatever becomes of them. */
import type { Env } from "@moth-companion/core/paths";
import type { Backend, BackendName, OnAnswer } from "./backend.ts";
import type { Notice } from "./notifier.ts";
import { type NotifySettings, type Picked, pickBackends } from "./pick.ts";

type Backends = Partial<Record<BackendName, Backend>>;

export interface Delivery {
  /** What would show a notice now. Looked up anew only when the settings differ. */
  pick(settings: NotifySettings): Picked;
  /** Settles once every back-end has tried; never rejects. */
  show(notice: Notice, settings: NotifySettings): Promise<void>;
  withdraw(key: string): void;
  /** The newest failure of each back-end that has not worked since. */
  problems(): string[];
  /** Whether this one's newest try failed. */
  hasFailed(name: string): boolean;
  stop(): void;
}

/** Notices on their way at once; a back-end that hangs must not gather more. */
const MAX_UNDERWAY = 32;
const MAX_SHOWN = 200;

/** @param onAnswer what the person did with a notice, where a back-end hears it */
export function createDelivery(env: Env, platform: NodeJS.Platform, onAnswer: OnAnswer): Delivery {
  let picked: { made: string; picked: Picked } | undefined;
  let ready: { made: string; backends: Promise<Backends> } | undefined;
  const shown = new Map<string, { notice: Notice; backends: Promise<Backends> }>();
  const failures = new Map<string, string>();
  let queue: Promise<void> = Promise.resolve();
  let underway = 0;

  function pick(settings: NotifySettings): Picked {
    const made = JSON.stringify([settings.by, settings.command, settings.sound]);
    if (picked?.made !== made) picked = { made, picked: pickBackends(settings, env, platform) };
    return picked.picked;
  }

  /** Loaded with the first notice: most moths at rest need none of it. */
  async function load(settings: NotifySettings): Promise<Backends> {
    const { createBackends } = await import("./backends.ts");
    return createBackends(pick(settings), settings, env, onAnswer);
  }

  function backendsFor(settings: NotifySettings): Promise<Backends> {
    pick(settings);
    const made = picked?.made ?? "";
    if (ready?.made !== made) {
      failures.clear();
      ready = { made, backends: load(settings) };
    }
    return ready.backends;
  }

  function enqueue(backends: Promise<Backends>, ask: (backend: Backend) => Promise<void>): Promise<void> {
    if (underway >= MAX_UNDERWAY) return queue;
    underway += 1;
    queue = tryAll(queue, backends, ask);
    return queue;
  }

  async function tryAll(
    before: Promise<void>,
    backends: Promise<Backends>,
    ask: (backend: Backend) => Promise<void>,
  ): Promise<void> {
    await before;
    await Promise.all(Object.entries(await backends).map(([name, backend]) => tryOne(name, () => ask(backend))));
    underway -= 1;
  }

  async function tryOne(name: string, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      failures.delete(name);
    } catch (error) {
      note(name, error instanceof Error ? error.message : String(error));
    }
  }

  function note(name: string, message: string): void {
    // Said once in the log, not for each notice.
    if (failures.get(name) !== message) process.emitWarning(`moth cannot notify by ${name}: ${message}`);
    failures.set(name, message);
  }

  return {
    pick,
    show(notice, settings) {
      const backends = backendsFor(settings);
      shown.set(notice.key, { notice, backends });
      if (shown.size > MAX_SHOWN) shown.delete(shown.keys().next().value ?? "");
      return enqueue(backends, (backend) => backend.show(notice));
    },
    withdraw(key) {
      const known = shown.get(key);
      shown.delete(key);
      if (known) void enqueue(known.backends, (backend) => backend.withdraw(known.notice));
    },
    problems: () => [...failures.values()],
    hasFailed: (name) => failures.has(name),
    stop: () => void ready?.backends.then(stopAll),
  };
}

function stopAll(backends: Backends): void {
  for (const backend of Object.values(backends)) backend.stop?.();
}
