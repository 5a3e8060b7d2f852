/** The built plugin for the window, in a harness of our own. In the real ones: `e2e/scenarios/shown-inside.test.ts`. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Module } from "../src/window/host.ts";
import { eventually, type Stage, stage } from "./stage.ts";

/** What the harness supplies, as far as it takes to see what was drawn. */
const SUPPLIED = {
  "@opentui/solid/index.js": `
    export const createElement = (tag) => ({ tag, props: {} });
    export const setProp = (element, name, value) => void (element.props[name] = value);
    export const insert = (element, content) => void (element.content = content);`,
  "solid-js/index.js": "export const createSignal = (value) => [() => value, (change) => (value = change(value))];",
};

interface Drawn {
  content?: unknown;
}

let plugin: Module;
let names: string[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "moth window "));
  for (const [name, text] of Object.entries(SUPPLIED)) {
    const file = join(folder, "node_modules", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    writeFileSync(join(dirname(file), "package.json"), '{"type": "module", "main": "index.js"}');
  }
  copyFileSync(join(import.meta.dirname, "../dist/moth-window.js"), join(folder, "moth-window.mjs"));
  const loaded = (await import(pathToFileURL(join(folder, "moth-window.mjs")).href)) as { default: Module };
  plugin = loaded.default;
  names = Object.keys(loaded);
  return () => rmSync(folder, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

interface Window extends Stage {
  tell: (event: unknown) => void;
  status: (session: string, type: string) => void;
  /** Opens a session; none: the window's first view. */
  look: (session?: string) => void;
  screen: () => string;
  toasts: unknown[];
  command: { slashName: string; run: () => void };
  /** The field that is open. */
  field: () => { title: string; description: () => Drawn; onConfirm: (text: string) => void } | undefined;
}

async function open(): Promise<Window> {
  const made = await stage();
  for (const [name, value] of Object.entries({ ...made.env, KILO: "", KILO_PID: "" })) vi.stubEnv(name, value);
  let hear: ((event: unknown) => void) | undefined;
  let draw: (() => unknown) | undefined;
  let field: ReturnType<Window["field"]>;
  let command: unknown;
  const route: { current: { name: string; params?: { sessionID?: unknown } } } = { current: { name: "home" } };
  const toasts: unknown[] = [];
  const ends: (() => void)[] = [];
  await plugin.tui({
    event: { on: (_, handler) => (hear = handler) },
    route,
    state: { session: { get: (id) => (id.startsWith("child") ? { parentID: "s-1" } : {}) } },
    theme: { current: { textMuted: "grey" } },
    slots: { register: ({ slots }) => (draw = slots.app_bottom) },
    keymap: { registerLayer: ({ commands }) => (command = commands[0]) },
    ui: {
      toast: (toast) => toasts.push(toast),
      dialog: { replace: (render) => render(), clear: () => (field = undefined) },
      DialogPrompt: (props) => (field = props as ReturnType<Window["field"]>),
    },
    lifecycle: { onDispose: (end) => ends.push(end) },
  });
  onTestFinished(() => ends.forEach((end) => end()));
  const box = draw?.();
  const tell = (event: unknown): void => hear?.(event);
  return {
    ...made,
    tell,
    status: (sessionID, type) => tell({ type: "session.status", properties: { sessionID, status: { type } } }),
    look: (session) => (route.current = session ? { name: "session", params: { sessionID: session } } : { name: "home" }),
    screen: () => textOf(box),
    toasts,
    command: command as Window["command"],
    field: () => field,
  };
}

/** What an element shows: a text, another element, nothing, or a function that gives one of these. */
function textOf(content: unknown): string {
  if (typeof content === "function") return textOf((content as () => unknown)());
  return typeof content === "object" && content !== null ? textOf((content as Drawn).content) : ((content as string) ?? "");
}

test("its one export has an id, without which the harness takes no file", () => {
  expect(names).toEqual(["default"]);
  expect(plugin.id).toBe("moth");
});

test("the line of a session stands at the foot of the window while that session is open", async () => {
  const { turn, status, ends, look, screen } = await open();
  turn("on");
  look("s-1");
  expect(screen()).toBe("");
  status("s-1", "busy");
  await ends("Done.");
  status("s-1", "idle");
  await eventually(() => expect(screen()).toBe("moth> opencode: Done."));
  look("s-2");
  expect(screen()).toBe("");
  look();
  expect(screen()).toBe("");
  look("s-1");
  expect(screen()).toBe("moth> opencode: Done.");
  // A subagent's work is none of the session's own.
  status("child-1", "busy");
  expect(screen()).toBe("moth> opencode: Done.");
  status("s-1", "busy");
  expect(screen()).toBe("");
});

test("`/moth` opens a field, and what is written there goes to moth", async () => {
  const { turn, look, command, field, screen, toasts } = await open();
  expect(command.slashName).toBe("moth");
  look("s-1");
  command.run();
  expect(field()?.title).toBe("Talk to moth");
  expect(textOf(field()?.description())).toContain("goes to the agent");
  field()?.onConfirm("good evening");
  expect(field()).toBeUndefined();
  await eventually(() =>
    expect(toasts).toEqual([expect.objectContaining({ title: "moth", message: "so you say good evening" })]),
  );
  turn("on");
  command.run();
  field()?.onConfirm("hello");
  await eventually(() => expect(screen()).toBe("you> hello\nmoth> so you say hello"));
});

test("events of any shape, and a harness that gives other things, are no trouble", async () => {
  const { tell } = await open();
  for (const event of [undefined, null, 1, {}, { type: "session.status" }, { type: "session.status", properties: { status: 1 } }])
    expect(() => tell(event)).not.toThrow();
  await expect(plugin.tui({} as Parameters<Module["tui"]>[0])).resolves.toBeUndefined();
});
