/** A little colour for code: comments, strings, numbers and the words most languages share. It need not know the language. */

/** Longer code stays plain. */
const MAX = 20_000;
const PLAIN = new Set(["text", "txt", "plain", "md", "markdown"]);
const HASH_COMMENTS = new Set([
  "py",
  "python",
  "sh",
  "bash",
  "zsh",
  "shell",
  "console",
  "yaml",
  "yml",
  "toml",
  "ruby",
  "rb",
  "make",
  "r",
  "perl",
]);

const WORDS =
  "abstract and as assert async await break case catch class const continue def default defer do elif else enum except export extends false finally fn for from func function go if impl implements import in interface is let match mod module mut new nil none not null or package pass private protected pub public raise return self static struct super switch this throw trait true try type undefined unless until use var void while with yield";
const KEYWORDS = new Set(WORDS.split(" "));

type Kind = "comment" | "string" | "number" | "keyword" | "added" | "removed";
export type Token = [text: string, kind: Kind | undefined];

/** Cuts code into coloured pieces. Joined, they are the code again. */
export function tokens(code: string, language?: string): Token[] {
  if (code.length > MAX || PLAIN.has(language ?? "")) return [[code, undefined]];
  if (language === "diff" || language === "patch") return code.split(/(?<=\n)/).map((line) => [line, diffKind(line)]);
  const hash = language !== undefined && HASH_COMMENTS.has(language);
  const comment = hash ? "#[^\\n]*" : "//[^\\n]*|/\\*[^]*?(?:\\*/|$)";
  const pattern = new RegExp(
    `(${comment})|("(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)|(\\b\\d[\\w.]*)|([A-Za-z_$][\\w$]*)`,
    "g",
  );
  const found: Token[] = [];
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const [text, isComment, isString, isNumber] = match;
    const kind = isComment ? "comment" : isString ? "string" : isNumber ? "number" : KEYWORDS.has(text) ? "keyword" : undefined;
    if (!kind) continue;
    if (match.index > at) found.push([code.slice(at, match.index), undefined]);
    found.push([text, kind]);
    at = match.index + text.length;
  }
  if (at < code.length) found.push([code.slice(at), undefined]);
  return found;
}

export function highlight(code: HTMLElement, language: string | undefined): void {
  code.replaceChildren(
    ...tokens(code.textContent ?? "", language).map(([text, kind]) => {
      if (!kind) return text;
      const span = document.createElement("span");
      span.className = `code-${kind}`;
      span.textContent = text;
      return span;
    }),
  );
}

function diffKind(line: string): Kind | undefined {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "comment" : undefined;
}
