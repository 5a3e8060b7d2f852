/** Which words of a model's line are the agent's and no word of moth's own: whoever has no token does not get them. */
import { LINES } from "./lines.ts";

/** Words that tell nothing of anybody's work, beside those of moth's own lines and the shortest ones. */
const COMMON = `
  about after again agent agents again almost already always although another around asked asks because been before began being below between both branch
  broke broken build builds called change changed changes check checks class clean code commit committed could deploy deployed does doing done down during
  each either else empty ended enough error errors even ever every everything fail failed failing fails failure failures file files finally find fine finish
  finished fixed fixes from function given gone good half hand happened have having here hour hours into issue issues just kept last late later least left
  line lines little lost made make makes many merge merged minute minutes missing month more most much must name names need needs never next night nothing
  okay only open other over page part pass passed passes passing pending place plan please problem project question questions quick quiet ready really
  release report request rest result review right round said same says seems server should side since slow small some soon still stop stopped such suite
  suites sure task tasks test tested tests than that their them then there these they thing things think this those though through time times today together
  tomorrow took turn turned under until update updated upon used user using very waiting wants warning warnings week were what when where which while whole
  will with within without word words work worked working works would wrong wrote year yesterday yet your`;

let known: ReadonlySet<string> | undefined;

/** In the order they stand in the line, each once. */
export function agentsWords(line: string, text: string): string[] {
  known ??= new Set(wordsOf([COMMON, ...Object.values(LINES).flat()].join(" ")));
  const own = known;
  const theirs = new Set(wordsOf(text));
  const named = (line.match(/[\p{L}\p{N}_./:@-]+/gu) ?? []).flatMap((word) => {
    const name = word.replace(/^[-.:]+|[-.:]+$/g, "");
    // What looks like a file, a symbol or a number is a name whole; of anything else each word may be.
    if (/[\d_./@]|\p{Ll}\p{Lu}/u.test(name) && text.includes(name)) return [name];
    return (name.match(/[\p{L}\p{N}]+/gu) ?? []).filter((part) => {
      const small = part.toLowerCase();
      return part.length > 3 && theirs.has(small) && !own.has(small);
    });
  });
  return [...new Set(named)];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
