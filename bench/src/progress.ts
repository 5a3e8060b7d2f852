/** What the bench is at, for whoever waits for it: a whole run takes eight minutes. */
export interface Progress {
  begin(name: string, title: string): void;
  /** What of a group is measured now. */
  at: (what: string) => void;
  end(words: string): void;
}

/** On a terminal in one line, which the next takes the place of; elsewhere a line for each. */
export function createProgress(
  out: { isTTY?: boolean; columns?: number; write(text: string): unknown },
  groups: number,
  now: () => number = () => performance.now(),
): Progress {
  let group = "";
  let count = 0;
  let started = 0;
  const show = (words: string): void => {
    const line = out.isTTY ? `\r\u001b[K${words.slice(0, (out.columns ?? 80) - 1)}` : `${words}\n`;
    out.write(line);
  };
  return {
    begin(name, title) {
      group = `${++count} of ${groups}, ${name}`;
      started = now();
      show(`${group}: ${title}`);
    },
    at: (what) => show(`${group}: ${what}`),
    end(words) {
      out.write(`${out.isTTY ? "\r\u001b[K" : ""}${words}, ${((now() - started) / 1000).toFixed(1)} s\n`);
    },
  };
}
