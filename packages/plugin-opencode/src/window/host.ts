/** What the harness gives to a plugin in its window, as far as moth uses it. Shapes as in OpenCode 1.18.33 and Kilo 7.7.7. */
export interface Host {
  event: { on(type: "session.status", handler: (event: unknown) => void): unknown };
  /** What the window shows. Read within a drawing, it is drawn anew when it changes. */
  route: { readonly current: { name: string; params?: { sessionID?: unknown } } };
  state: { session: { get(session: string): { parentID?: string } | undefined } };
  theme: { readonly current: { readonly textMuted: unknown } };
  slots: { register(plugin: { slots: { app_bottom: () => unknown } }): unknown };
  keymap: { registerLayer(layer: { commands: readonly Command[]; bindings: readonly [] }): unknown };
  ui: {
    toast(toast: { title: string; message: string; variant: "info" | "warning"; duration: number }): void;
    dialog: { replace(render: () => unknown): void; clear(): void };
    DialogPrompt(field: {
      title: string;
      description: () => unknown;
      placeholder: string;
      onConfirm: (text: string) => void;
    }): unknown;
  };
  lifecycle: { onDispose(end: () => void): unknown };
}

interface Command {
  name: string;
  title: string;
  category: string;
  /** `palette`: it stands among the harness's own commands. */
  namespace: string;
  /** Behind a slash, alone on the line. */
  slashName: string;
  run: () => void;
}

/** The one export. The harness takes no file without an id. */
export interface Module {
  id: string;
  tui(host: Host): Promise<void>;
}
