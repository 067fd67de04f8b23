/** The cost of a class of characters, such as `\w` or `[a-z]`, where a character costs 1. */
const CLASS = 4;
/** The cost of any character, which is one to four bytes. */
const ANY_CHARACTER = 40;
/** The cost of a class of Unicode characters, such as `\pL`: it is hundreds of ranges of bytes. */
const UNICODE_CLASS = 160;
/** The cost of six characters that a class lists: far apart, each is its own range of bytes. */
const SIX_LISTED = 8;
/**
 * What something costs, times its own cost, with `*` (in one state), `?` or `|` after it: what may be left out or
 * replaced keeps more ways open, so that `(.?){20}` has more than `.{60}`.
 */
const FACTORS: Readonly<Record<string, number>> = { '*': 1 / 6, '?': 4, '|': 3 };

/** A repetition, the start or end of a group, or something that matches characters. */
const TOKEN =
  /\{(?<least>\d+)(?:,(?<most>\d*))?\}|(?<sign>[*?|])|(?<open>\((?:\?(?:P?<\w*>|[imsU-]*:?))?)|(?<close>\))|(?<atom>\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]?|.)/gsu;

/**
 * What the engine pays for a regular expression: about its number of steps once repetitions are expanded, and more for
 * those that keep many ways open at once.
 *
 * - Why: `(\pL|\pN){300}` takes a second to expand, before any time limit applies, and `a.{80}` has a state of its own
 *   for each text, though both are short. `.*` is one state. A text that is not a valid expression has a cost too.
 * - Source: RE2's syntax, https://github.com/google/re2/wiki/Syntax. The factors are measured: test/report/query.
 */
export function patternCost(pattern: string): number {
  const groups: number[] = [0];
  let last = 0;
  const add = (cost: number, instead = 0) => {
    last = cost;
    groups.push((groups.pop() ?? 0) + cost - instead);
  };
  for (const { groups: token = {} } of pattern.matchAll(TOKEN)) {
    const { least, most, sign, open, close, atom = '' } = token;
    if (least !== undefined) add(last * timesOf(least, most), last);
    else if (sign !== undefined) add(costWith(sign, last), last);
    else if (open !== undefined) groups.push(0);
    else if (close === undefined) add(atomCost(atom));
    else if (groups.length > 1) add(groups.pop() ?? 0);
  }
  return groups.reduce((sum, cost) => sum + cost, 0);
}

function costWith(sign: string, cost: number): number {
  if (sign === '*' && cost >= UNICODE_CLASS) return cost; // Its many ranges stay states of their own.
  return Math.ceil(cost * (FACTORS[sign] ?? 1));
}

/** How often the engine writes it out; `{0,}` is `*`. */
function timesOf(least: string, most: string | undefined): number {
  return Math.max(Number(least), most === '' ? 1 : Number(most ?? 0));
}

function atomCost(atom: string): number {
  if (atom === '.') return ANY_CHARACTER;
  if (atom.startsWith('\\Q')) return atom.length;
  if (!/^(\[|\\[dDwWsSpPC])/.test(atom)) return 1;
  const classes = atom.match(/\\[pP]/g)?.length ?? 0;
  const listed = atom.startsWith('[') ? Math.floor(atom.length / 6) : 0;
  const least = /^(\[\^|\\[DWS])/.test(atom) ? ANY_CHARACTER : CLASS;
  return least + listed * SIX_LISTED + classes * UNICODE_CLASS;
}
