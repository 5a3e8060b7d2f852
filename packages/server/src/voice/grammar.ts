/** Alternatives by name. `{name}` in a text stands for one of that name's alternatives; other braces stay as they are. */
export type Grammar = Readonly<Record<string, readonly string[]>>;

/** Every text that can be made from a name's alternatives. */
export function expand(grammar: Grammar, name: string): string[] {
  return (grammar[name] ?? []).flatMap((text) => fillIn(grammar, text));
}

/** One text that can be made from a name's alternatives, each slot by chance; undefined when there is none. */
export function sample(grammar: Grammar, name: string, random: () => number): string | undefined {
  const text = pick(grammar[name] ?? [], random);
  return text?.replace(/\{(\w+)\}/g, (slot, inner: string) =>
    inner in grammar ? (sample(grammar, inner, random) ?? slot) : slot,
  );
}

function fillIn(grammar: Grammar, text: string): string[] {
  for (const [slot, name] of text.matchAll(/\{(\w+)\}/g)) {
    if (name !== undefined && name in grammar)
      return expand(grammar, name).flatMap((part) => fillIn(grammar, text.replace(slot, part)));
  }
  return [text];
}

/** One of a list, by a random number from 0 up to 1; undefined for an empty list. */
export function pick<T>(list: readonly T[], random: () => number): T | undefined {
  return list[Math.min(list.length - 1, Math.floor(random() * list.length))];
}
