import type { Finished } from "./processes.ts";
import type { Key, Terminal } from "./terminal.ts";

/** How one harness is run and operated, so that a scenario can be written once for all of them. */
export interface HarnessDriver {
  /** The harness's id in the registry, and the name of its folder in `clis/`. */
  id: string;
  /** The program's path within the folder it was installed to. */
  program: string;
  /** It starts programs that were installed beside it: their folder is on its PATH. */
  startsItsSiblings?: true;
  /** What `moth hook` is told beside its id. The program's folder is on moth's PATH then: moth asks the program itself. */
  hookWith?: readonly string[];
  /** What it needs in its environment beside the world's own. */
  env(world: Surroundings): Record<string, string>;
  /** Writes what a person's earlier use would have left, so that no welcome or trust dialog shows. */
  seed(world: Surroundings, projects: readonly string[]): void;
  /** Arguments of a run that answers one prompt and ends. */
  oneShot(prompt: string, options?: StartOptions): string[];
  /** Arguments of an interactive start. */
  interactive(options?: StartOptions): string[];
  /** Whether it waits for the person to type a prompt. */
  ready: (screen: string) => boolean;
  /** Brings a prompt or slash command into the composer and sends it. */
  submit: (terminal: Terminal, prompt: string) => Promise<void>;
  /** How a reply stands on the screen, so that it is not taken for the prompt that asks for it. */
  shown: (reply: string) => string | RegExp;
  /** It shows a reply that comes in line by line, and not what it has of a line. */
  showsWholeLines?: true;
  /** How an API error stands on the screen when the turn is over. */
  error: string;
  /** HTTP statuses of the model's API that end a turn; others it tries again for longer than a test may take. */
  errors: readonly number[];
  /** Takes out of a one-shot run's output what it prints beside replies with or without moth. */
  withoutOwnNoise?: (run: Finished) => Finished;
  /** A one-shot run prints each text of a turn on a line, not only the last one. */
  printsEveryText?: true;
  /** It tells nothing of a session that is open until the first prompt. */
  silentUntilPrompted?: true;
  /** A one-shot run cannot take up a session. */
  oneShotBeginsAnew?: true;
  /** It takes an answer without a word for a failure. */
  emptyReplyFails?: true;
  /** Whether it shows that a turn runs, where the key that ends one does something else before that. */
  runs?: (screen: string) => boolean;
  /** Ends the turn that runs. */
  interrupt: Hand;
  /** The same key again within seconds ends the program. */
  interruptTwiceQuits?: true;
  /** Empties the composer, where a prompt that was interrupted before any reply is back. Missing: it does not come back. */
  clearComposer?: Key;
  /** `fork` where a copy of a session is made inside, and not by an argument at the start. */
  commands: { clear: string; compact: string; quit: string; fork?: string };
  /** A session that is left for a new one stays open beside it. */
  keepsLeft?: true;
  /** A session that a copy was made of inside stays open beside it. */
  keepsForked?: true;
  /** Script of a tool that it runs without asking. */
  harmless: string;
  /** Script of a shell command that goes on in the background after the turn. */
  lastingShell?: string;
  /** Script that starts a subagent, which then follows a script of its own. */
  subagent: (script: string) => string;
  /** The turn waits for its subagent: it speaks once, when the subagent is done. */
  waitsForSubagent?: true;
  /** A one-shot run ends without its subagent. */
  endsBeforeSubagent?: true;
  /** What makes the person decide: a script by which the model asks, and the hands that answer. */
  permission: Dialog & {
    script: (file: string) => string;
    allow: Hand;
    /** Ends the turn. Missing: no denial does. */
    deny?: Hand;
    /** Missing: advice cannot be given. */
    denyWith?: (terminal: Terminal, advice: string) => Promise<void>;
    /** Tools called at once ask one after the other, and `allow` answers just one of them. */
    oneByOne?: true;
    /** In a one-shot run, where nobody can be asked, the refusal ends the turn. */
    refusalEndsTurn?: true;
    /** In a one-shot run it asks all the same, and waits for an answer that nobody can give. */
    asksInVain?: true;
    /** A subagent is refused without asking. */
    notForSubagents?: true;
  };
  question: Dialog & { script: (question: string, options: readonly string[]) => string; answer: Hand; cancel: Hand } & {
    /** A question that is cancelled does not end the turn. */
    goesOnWithout?: true;
  };
  plan?: Omit<Dialog, "tool"> & {
    /** Missing: no tool asks. */
    tool?: string;
    script: (plan: string) => string;
    /** The turn is over when the window asks, and the window goes on asking when it was answered through moth, until Escape. */
    endsTurn?: true;
    approve: Hand;
    /** Missing: nothing tells that a plan was put aside. */
    cancel?: Hand;
  };
  /** How moth's lines show inside it. Missing: nothing is drawn into it. */
  inside?: {
    /** Arguments that bring the display where the hooks do not; what they need is put into `folder`. */
    args?: (folder: string) => string[];
    /** Commands of its own that judge what was put into `folder`, and end with 0 where it is right. */
    checks?: (folder: string) => string[][];
    /** Whether moth's line stands on the screen, where moth puts it. */
    shows: (screen: string, line: string) => boolean;
    /** A line goes by itself after a while. */
    passing?: true;
    /** Says something to moth from inside. Missing: there is no way to. */
    talk?: (terminal: Terminal, text: string) => Promise<void>;
  };
  /** What moth answers through a door of its own. Missing: nothing. */
  answers?: {
    /** The way of its answers, for the person. */
    door: string;
    /** Only the sessions in the process of its own are answered. */
    inBackground?: true;
    permission?: true;
    question?: true;
    plan?: true;
    /** A permission has options of its own. */
    says?: { allow: string; deny: string };
    /** What `moth hook` is told beside its id, so that it can be answered. */
    hookWith?: readonly string[];
    /** Writes what else a person does so that it can be answered. */
    seed?(world: Surroundings, projects: readonly string[]): void;
  };
  /** What its hooks can hold while the person is away, put in by `moth hook --answers`. Missing: nothing. */
  away?: {
    /** A permission can be refused, and not given. */
    denies?: true;
  };
  /** It takes messages through moth. Missing: it does not. */
  orders?: {
    /** The way of its messages, for the person. */
    door: string;
    /** Its turn can be ended through moth. */
    abort?: true;
    /** Only the sessions in the process of its own take them. */
    inBackground?: true;
    /** Arguments that bring what listens, where the hooks do not; what it needs is put into `folder`. */
    args?: (folder: string) => string[];
    /** First characters of messages that it would take for more than words: they are refused. */
    refused?: readonly string[];
  };
  /** Lines that any start of it adds to the records of sessions before. */
  addsToOlder?: RegExp;
  /** The file `moth hook` writes to, in a home folder. */
  settings: (home: string) => string;
  /** A settings file as a person might have written it by hand: odd indents, no last line end, things of the person's own. */
  handWritten: (home: string) => { file: string; text: string };
  /** Arguments that bring moth's hooks in a second way; what they need is put into `folder`, or into the home or project folder. */
  secondWay?: (folder: string, home: string, project: string) => string[];
  /** Ends the process of its own in which the sessions of this home live when they are started in the `background`. Missing: there is none. */
  endBackground?: (home: string) => Promise<void>;
  /** Scenarios it has no counterpart for, and why. */
  notApplicable: Partial<Record<string, string>>;
}

export interface StartOptions {
  /** `ask`: before it runs anything; `plan`: it plans first. */
  mode?: "ask" | "plan";
  /** Go on with this session. */
  resume?: string;
  /** Go on with a copy of it. */
  fork?: boolean;
  /** The person's home folder. */
  home?: string;
  /** In a process of the harness's own, apart from its window. */
  background?: boolean;
}

interface Surroundings {
  home: string;
  /** The fake model's base URL. */
  modelUrl: string;
  /** The installed program. */
  program: string;
}

interface Dialog {
  /** What stands on the screen while it waits. */
  shown: string;
  /** The harness's name of the tool that asks. */
  tool: string;
}

/** Does what a person's hand would do. */
export type Hand = (terminal: Terminal) => Promise<void>;
