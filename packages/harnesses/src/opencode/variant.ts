/** What differs between OpenCode and Kilo, which began as a copy of it and loads the same plugin file. */
export interface Variant {
  id: string;
  /** As its maker writes it. */
  name: string;
  /** Of its program. */
  program: string;
  /** Of its npm package. */
  package: string;
  /** Of its folder below `~/.config`, and of its settings files. */
  folder: string;
  /** Names of its folders in a project, and in the person's home. */
  dotFolders: readonly [string, ...string[]];
  /** Of its environment variables. */
  prefix: string;
}

/** OpenCode 1.18.33. */
export const OPENCODE: Variant = {
  id: "opencode",
  name: "OpenCode",
  program: "opencode",
  package: "opencode-ai",
  folder: "opencode",
  dotFolders: [".opencode"],
  prefix: "OPENCODE",
};
