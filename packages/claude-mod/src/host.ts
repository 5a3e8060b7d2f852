/**
 * What the band uses of the API that Claude Code gives a mod (its "function hooks", early access), as 2.1.332 declares it in
 * `claude-code/index.d.ts`. A mod runs in an environment of its own: no DOM, no Node, no `import()`.
 */

export interface On {
  (event: "session.start", hook: Hook<{ isInteractive: boolean }>): void;
  /** At the end, and when another session takes its place: `/clear`, `/resume`. */
  (event: "session.end", hook: Hook<{ reason: string }>): void;
  (event: "turn.start", hook: Hook<{ agentId?: string; turnId: string }>): void;
  (event: "turn.complete", hook: Hook<TurnComplete>): void;
  (event: "ui.render", of: { component: "AbovePrompt" }, hook: Hook<Render>): void;
}

/** A hook passes on with `next(e)`. Calls on `$` may go on after it has returned. */
type Hook<E> = ($: Engine, e: E, next: (e: E) => unknown) => unknown;

interface TurnComplete {
  /** Of a subagent's turn. */
  agentId?: string;
  turnId: string;
  /** The final reply; empty where there is none, such as after a permission was denied. */
  answer: string;
  reason: "answer" | "aborted" | "refusal" | "error";
}

export interface Render {
  props: {
    /** A survey of Claude Code's own holds the band. */
    hasSurvey: boolean;
    /** The transcript on the screen: an agent's, else the conversation's. */
    view: { agentId?: string };
  };
}

export interface Engine {
  session: { id(): Promise<string> };
  /** The name must stand in the source as it is: Claude Code reads it there. */
  env: { get(name: string): Promise<string | undefined> };
  /** Rejects when there is no such file. */
  fs: { read(path: string): Promise<string> };
  process: {
    /** Starts a program without a shell; leaving the loop kills it. The first step rejects when it cannot start. */
    spawn(request: { argv: readonly string[]; input?: string }): AsyncGenerator<{ stream: "stdout" | "stderr"; text: string }>;
    /** What Claude Code puts into the environment of a plugin's hook commands. */
    hookEnv(): Promise<Record<string, string>>;
  };
  prompt: {
    /**
     * As the person's own words, whose draft stays. Resolves once it has entered the session, which while a turn runs is when that is
     * over; rejects what begins with `/`.
     */
    submit(prompt: { text: string; asUser: true }): Promise<{ drop?: string }>;
  };
  /** Ends the main turn as Escape does; rejects when another one or none runs. */
  turn: { abort(of: { turnId: string }): Promise<void> };
  clock: { sleep(ms: number): Promise<void> };
  ui: {
    invalidate(event: "ui.render"): void;
    /** The elements that can be drawn where `e` is drawn; not everywhere is there an `Input`. */
    resolve(e: Render): { Box: Element; Text: Element; Input?: Element };
  };
}

/** An element's constructor, or what is drawn of one. */
export type Element = object;

declare global {
  /** What JSX is compiled to; a global of the mod's environment. */
  function h(type: Element, props: Record<string, unknown> | null, ...children: (Element | string)[]): Element;
}
