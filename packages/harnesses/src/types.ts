/** The shape of a harness's folder. Server, CLI and hook know harnesses by these types and the registry, never by name. */
import type { Env } from "@moth-companion/core/paths";
import type { Answer, Order, OrderKind, ReportOrigin, State, StateReport, TurnReport, Wait } from "@moth-companion/core/protocol";

/** What an adapter tells the server about one foreign event. `ask`: the hook itself can answer the wait it tells of. */
export type Report = { to: "agent"; body: TurnReport } | { to: "state"; body: StateReport; ask?: Ask };

/** How a hook that waits for the person answers its harness: by what it prints. */
export interface Ask {
  /** What it prints for an answer; or why there is nothing to print, a sentence for the person. */
  decide(answer: Answer): { print: string } | { problem: string };
  /** Whether the harness no longer asks, as far as its own files tell. Looked at once a second. */
  isOver(): boolean;
}

/** What a payload reader may use beside the payload. */
export interface HookContext {
  /** The hook process's environment, as the harness made it. */
  env: Env;
  /** Milliseconds since 1970 at which the hook process began: the reports' `seq`. */
  seq: number;
  /**
   * The process that started the hook, where the system tells: the harness itself, if it starts hooks without a shell or if their
   * command takes the shell's place.
   */
  caller?: number | undefined;
  /**
   * Has an event read once more, by a process of its own that the harness does not wait for: for what only shows when the hook has
   * ended. There this is missing, and the reading may take 10 s.
   */
  later?: (event: unknown) => void;
  /** Milliseconds since 1970 at which a hook noted the session's wait, the latest where several are open; undefined: none is known of. */
  waitsSince?: (from: ReportOrigin) => number | undefined;
  /** The harness takes an answer from this hook, and the person may answer through moth: what is asked is told. */
  answers?: boolean;
}

/**
 * Reads one foreign event, as a hook receives it, into reports. Foreign input is parsed here and nowhere else: unknown fields,
 * unknown events and wrong types give no report. Must not throw. Where the event lacks or garbles the reply it may look into the
 * harness's own transcript, for at most 500 ms.
 */
export type ReadPayload = (payload: unknown, context: HookContext) => Report[] | Promise<Report[]>;

/** What a watch may know of a session: nothing of what was said. */
export interface WatchedSession {
  session: string;
  state: State;
  /** Milliseconds since 1970 at which it entered its state. */
  since: number;
  /** `seq` of the report that made the state. */
  seq: number;
  /** It works on after a reply was shown, for tasks in the background. */
  background: boolean;
  wait?: Wait;
  pid?: number;
  /** When a moth that was started anew took it back, until it is heard again: what was reported shortly before may be lost. */
  restored?: number;
}

/** What the server gives to a watch. */
export interface WatchHost {
  env: Env;
  /** Milliseconds since 1970. */
  now(): number;
  /** The harness's sessions that are not gone. */
  sessions(): readonly WatchedSession[];
  /** Hands in what was seen. `source` is filled in by the server. */
  report(report: Omit<StateReport, "source">): void;
}

/**
 * Starts a second signal for what no hook tells, such as Esc. Reads no content it does not need; its timers do not keep the
 * process alive; its errors stay inside.
 */
export type StartWatch = (host: WatchHost) => { stop(): void };

/** What the server gives to a door. */
export interface DoorHost extends WatchHost {
  /** Whether the person may answer through moth. While not, a door asks for nothing and tells nothing. */
  answersOn(): boolean;
}

/** How the harness took an answer; `problem` is a sentence for the person. */
export type Taken = { taken: true } | { taken: false; problem: string };

/** The harness's own way to be answered, where the server can go through it. */
export interface Door {
  /** Hands over the answer to a wait that the door has told of as answerable. Never throws, never answers anything else. */
  answer(session: string, wait: Wait, answer: Answer): Promise<Taken>;
  /** What it can have this session do just now. Asked often: it looks at what it knows, and asks nobody. */
  takes?(session: string): readonly OrderKind[];
  /** Has the session do something that it takes. Resolves once the harness has it. Never throws. */
  order?(session: string, order: Order): Promise<Taken>;
  stop(): void;
}

/** Opens the door. What it learns of a wait (text, options) it reports, as a watch does. */
export type StartDoor = (host: DoorHost) => Door;

/** What was found of a harness on this machine. */
export interface Detection {
  found: boolean;
  /** The program's path, when it is on PATH. */
  program?: string;
  version?: string;
  /** The folder its settings live in, whether it exists or not. */
  configDir: string;
}

/** How moth's hook in a harness is doing. */
export const HEALTHS = [
  "not-installed",
  "installed",
  "waiting-for-trust",
  "modified",
  "outdated",
  "disabled",
  "broken",
  "overwritten",
  "duplicate",
] as const;
export interface Health {
  status: (typeof HEALTHS)[number];
  /** Files moth is hooked in by. */
  where: string[];
  /** What is wrong, a sentence. */
  problem?: string;
  /** What the person does next. */
  advice?: string;
}

export interface InstallOptions {
  env: Env;
  /** The built hook program to copy to moth's folder, with the file beside it that it runs. */
  hookProgram: string;
  /** The built file of one of moth's plugin packages, by `package/file`. @throws when this installation lacks it */
  findPlugin: (specifier: string) => string;
  /** The Node that runs the hook: `process.execPath`. */
  node: string;
  /** Hook this project folder's settings instead of the person's. */
  project?: string;
  /** Hook the settings of this profile, by its name in the harness. */
  profile?: string;
  /** Have the harness trust moth's hooks, so that it need not ask the person. */
  trust?: boolean;
  /** Hook in by the older one of a harness's two ways. */
  legacy?: boolean;
  /** Put in what it takes to be answered through moth, where that is more than the hooks and asks something of the person, or allows more. */
  answers?: boolean;
}

/** What of {@link InstallOptions} only some harnesses have. */
export type HookExtra = "profile" | "trust" | "legacy" | "answers";

/** One file the installer will write or remove. `before` and `after` are whole contents; undefined: the file is not there. */
export interface FileChange {
  file: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  /** Permission bits of a new file. */
  mode?: number;
  /** What changes, for the person: "adds 7 hooks". */
  summary: string;
  /** A file of moth's own folder: written without a backup. */
  own?: boolean;
  /** The file itself, where `file` is or lies behind a link. */
  real?: string;
}

/** What `moth hook` or `moth unhook` will do. No changes: nothing to do. */
export interface Plan {
  harness: string;
  action: "hook" | "unhook";
  changes: FileChange[];
  /** Folders moth made for a file that is removed now: they go when they are empty. */
  folders?: string[];
  /** What the person should know or do afterwards. */
  notes: string[];
  /** What the harness itself is asked for once the files are written. */
  request?: PlanRequest;
  /** Makes the plan anew: another program may have changed a file since. */
  again(): Promise<Plan>;
}

export interface PlanRequest {
  /** For the person, before: "to trust moth's 7 hooks". */
  summary: string;
  /** The file that the harness then changes. It is copied aside before, and looked at after. */
  file: string;
  /** Asks. Does not throw. */
  run(): Promise<RequestAnswer>;
}

export interface RequestAnswer {
  ok: boolean;
  /** What came of it, a sentence. */
  note: string;
  /** Where the file's earlier contents are kept, when it changed. */
  backup?: string;
}

/** What {@link Plan} became. */
export interface Applied {
  /** Each changed file, and where its earlier contents are kept. `isAsBefore`: it is what it was before moth came; its copies are gone. */
  changed: { file: string; summary: string; backup?: string; isAsBefore?: true }[];
}

/**
 * How it is started in a terminal: by its program alone, or with the prompt it begins with. Arguments only; no shell reads them. A
 * prompt is data, whatever it begins with, but for what {@link Launch.withPrompt} is never given: one that begins with `/`, `!` or `@`.
 */
export type Launch = (
  | { withPrompt: (text: string) => string[] }
  /** Why it takes no prompt at its start, a part of a sentence. */
  | { noPrompt: string }
) & { again: Again };

/** How a session of its own is taken up again, in the folder it was begun in. */
interface Again {
  /** What its ids look like. Any other text is never handed over: it may be an option, a path, or another session's name. */
  ids: RegExp;
  /** Goes on with the session under its id. */
  resume: (id: string) => string[];
  /**
   * Begins a copy under an id of its own and leaves the session as it is, which may be open in a window; undefined: the session's record
   * is not there. A text: how it makes a copy instead, as in "makes one in its window alone".
   */
  fork: ((id: string, env: Env) => string[] | undefined) | string;
  /** Why it takes no prompt for either, though it does at other starts; part of a sentence. */
  noPrompt?: string;
}

export interface Harness {
  /** The `source` of its reports. */
  id: string;
  /** As its maker writes it. */
  name: string;
  /** As cards call it: "claude · moth-repo said…". */
  short: string;
  /** The name of its program, as PATH has it. */
  program: string;
  /** Environment variables that move its settings to another folder. */
  movedBy: readonly string[];
  /** The extras it has; a text: why it has none of the kind, a sentence for whoever asks for it. */
  extras?: Readonly<Partial<Record<HookExtra, true | string>>>;
  /** Why moth was never run with it, part of a sentence. Missing: it was. */
  notVerified?: string;
  /** Why what it asks is answered in its own window, where no report says so itself. A sentence for the person. */
  inWindow?: string;
  detect(env: Env): Promise<Detection>;
  /** Missing: moth does not start it. */
  launch?: Launch;
  health(options: InstallOptions): Promise<Health>;
  planHook(options: InstallOptions): Promise<Plan>;
  planUnhook(options: InstallOptions): Promise<Plan>;
  /** What other programs have put into it, as it stands there: commands, plugins' names. Nothing that cannot be read throws. */
  strangers(options: InstallOptions): Promise<string[]>;
  /** For harnesses whose hooks are commands. */
  readPayload?: ReadPayload;
  startWatch?: StartWatch;
  startDoor?: StartDoor;
  /** What a session needs to take messages, a sentence for whoever sent one to a session that takes none. */
  ordersNeed?: string;
}
