/** Programs that tell of agents' turns as moth does, known by the commands and plugins they put into harnesses. */
const NOTIFIERS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["peon-ping", /peon-ping|\bpeon\.(?:sh|ps1)\b/i],
  ["Code-Notify", /(?<![\w-])code-notify(?![\w-])/i],
  ["Clawd on Desk", /clawd-on-desk|clawd-hook|127\.0\.0\.1:2333[3-7]\b/i],
  ["ccmux", /(?<![\w-])ccmux(?![\w])/i],
  ["herdr", /(?<![\w])herdr(?![a-z])/i],
  ["Petdex", /petdex/i],
  ["Agent Notifications", /claude-notifications(?:-go)?|(?<![\w-])agent-notifications(?![\w])/i],
  ["opencode-notifier", /opencode-notifier/i],
  ["CodeIsland", /codeisland/i],
  ["Open Island", /openislandhooks|open-island-/i],
  ["Vibe Island", /vibe-island-bridge|[\\/]\.vibe-island[\\/]/i],
  ["Irrlicht", /irrlicht|(?:127\.0\.0\.1|localhost):7837\//i],
  ["agent-deck", /(?<![\w-])agent-deck(?![\w])/i],
  ["cmux", /(?<![\w-])cmux(?![\w])/i],
  ["workmux", /(?<![\w-])workmux(?![\w])/i],
  ["claudio", /(?<![\w-])claudio(?![\w-])/i],
  ["anotifier", /(?<![\w-])anotifier/i],
  ["dsh-notify", /dsh-(?:[a-z]+-)?notif/i],
  // A person's own, by what shows or plays it.
  ["notify-send", /(?<![\w-])notify-send(?![\w-])/],
  ["terminal-notifier", /(?<![\w-])terminal-notifier(?![\w-])/],
  ["osascript", /osascript\b.*display notification/is],
  ["BurntToast", /BurntToast/i],
  ["afplay", /(?<![\w-])afplay(?![\w-])/],
  ["paplay", /(?<![\w-])paplay(?![\w-])/],
];

/** Names of the notifiers that texts of a harness's settings speak of. */
export function notifiersIn(texts: readonly string[]): string[] {
  return NOTIFIERS.filter(([, mark]) => texts.some((text) => mark.test(text))).map(([name]) => name);
}
