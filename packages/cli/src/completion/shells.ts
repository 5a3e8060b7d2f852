/**
 * Completion scripts: plain text made from the command table. Only where a session is to be named the running moth is asked which there
 * are; a moth that is asleep names none. What they are called is anybody's text: it is offered as one word, and never run.
 */
import type { Word } from "./words.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

/** @param self how moth is called where it is no command of that name: then the script says how to make it one */
export function renderCompletion(shell: Shell, words: readonly Word[], self?: string): string {
  const names = `${self ?? "moth"} ps --names`;
  const script = { bash, zsh, fish, powershell }[shell](words, names);
  if (self === undefined) return script;
  const alias = shell === "powershell" ? `function moth { ${self} @args }` : `alias moth='${self}'`;
  // Behind the lines that say where to put the script.
  return script.replace(/^(?:#.*\n)+/, (comments) => `${comments}# It completes a command named moth. Make one: ${alias}\n`);
}

function offers(word: Word): string[] {
  return [...word.operands, ...word.flags.flatMap((flag) => flag.names), "--help"];
}

/** Their names, for a pattern of the shell's. */
function sessionCommands(words: readonly Word[], between: string): string {
  return words
    .filter(({ takesSession }) => takesSession)
    .map(({ name }) => name)
    .join(between);
}

function bash(words: readonly Word[], names: string): string {
  return `# moth completion for bash. Put this line into ~/.bashrc:
#   source <(moth completion bash)
_moth() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...words.map((word) => word.name), "--help", "--version"].join(" ")}"
  else
    case "\${COMP_WORDS[1]}" in
${words.map((word) => `      ${word.name}) words="${offers(word).join(" ")}" ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $COMP_CWORD -eq 2 && $current != -* && " ${sessionCommands(words, " ")} " == *" \${COMP_WORDS[1]} "* ]]; then
    local name
    while IFS= read -r name; do
      [[ $name != -* && $name == "$current"* ]] && COMPREPLY+=("$(printf %q "$name")")
    done < <(${names} 2>/dev/null)
  fi
}
complete -o default -F _moth moth
`;
}

function zsh(words: readonly Word[], names: string): string {
  return `#compdef moth
# moth completion for zsh. Put this line into ~/.zshrc, after compinit:
#   source <(moth completion zsh)
_moth() {
  local -a offers
  if (( CURRENT == 2 )); then
    offers=(
${words.map((word) => `      '${word.name}:${zshQuote(word.summary)}'`).join("\n")}
    )
    _describe command offers
    return
  fi
  if (( CURRENT == 3 )) && [[ "\${words[2]}" == (${sessionCommands(words, "|")}) && "\${words[3]}" != -* ]]; then
    local -a names
    names=(\${(f)"$(${names} 2>/dev/null)"})
    names=(\${names:#-*})
    compadd -a names
  fi
  case "\${words[2]}" in
${words.map(zshCase).join("\n")}
  esac
}
compdef _moth moth
`;
}

function zshCase(word: Word): string {
  const flags = word.flags.flatMap((flag) => flag.names.map((name) => `'${name}:${zshQuote(flag.description)}'`));
  const operands = word.operands.map((operand) => `'${operand}'`);
  return `    ${word.name}) offers=(${[...operands, ...flags, "'--help:this help'"].join(" ")}); _describe argument offers ;;`;
}

function zshQuote(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}

function fish(words: readonly Word[], names: string): string {
  const sessions = fishQuote(`(${names} 2>/dev/null | string match -v -- '-*')`);
  const valuesOf = ({ value }: Word["flags"][number]): string => {
    if (value === undefined) return "";
    // Only where a folder is meant are there files to offer.
    if (value.is === "folder") return " -r";
    return ` -x${value.is === "session" ? ` -a ${sessions}` : value.is.length > 0 ? ` -a ${fishQuote(value.is.join(" "))}` : ""}`;
  };
  const lines = words.flatMap((word) => {
    const inside = `-n '__fish_seen_subcommand_from ${word.name}'`;
    return [
      `complete -c moth -n __fish_use_subcommand -a ${word.name} -d ${fishQuote(word.summary)}`,
      ...word.operands.map((operand) => `complete -c moth ${inside} -a ${operand}`),
      ...(word.takesSession ? [`complete -c moth ${inside} -a ${sessions}`] : []),
      ...word.flags.map((flag) => {
        const spelt = flag.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
        return `complete -c moth ${inside} ${spelt.join(" ")}${valuesOf(flag)} -d ${fishQuote(flag.description)}`;
      }),
    ];
  });
  return `# moth completion for fish. Save it:
#   moth completion fish > ~/.config/fish/completions/moth.fish
complete -c moth -f
${lines.join("\n")}
`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function powershell(words: readonly Word[], names: string): string {
  return `# moth completion for PowerShell. Put this line into $PROFILE:
#   moth completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName moth -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $offers = @{
${words.map((word) => `    '${word.name}' = @(${psList(offers(word))})`).join("\n")}
  }
  $given = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  $typing = if ($wordToComplete) { 1 } else { 0 }
  $words = if ($given.Count - $typing -le 1) { @(${psList([...words.map((word) => word.name), "--help", "--version"])}) } else { $offers[$given[1]] }
  if ($given.Count - $typing -eq 2 -and $given[1] -in @(${psList(words.filter(({ takesSession }) => takesSession).map(({ name }) => name))}) -and $wordToComplete -notlike '-*') {
    ${names} 2>$null | Where-Object { $_.StartsWith($wordToComplete) -and $_ -notlike '-*' } | ForEach-Object {
      $typed = if ($_ -match '^[\\w.-]+$') { $_ } else { "'" + $_.Replace("'", "''") + "'" }
      [System.Management.Automation.CompletionResult]::new($typed, $_, 'ParameterValue', $_)
    }
  }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function psList(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(", ");
}
