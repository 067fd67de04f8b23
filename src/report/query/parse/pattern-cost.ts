/** The cost of a class of Unicode characters, such as `\pL`: it is hundreds of byte ranges. */
const UNICODE_CLASS = 60;
/** The cost of any character: a character is one to four bytes. */
const ANY_CHARACTER = 5;
/** How many of a class's listed characters cost one: far apart, each is its own range of bytes. */
const LISTED_FOR_ONE = 6;

/** A repetition, the start or end of a group, or something that matches characters. */
const TOKEN =
  /\{(?<least>\d+)(?:,(?<most>\d*))?\}|(?<open>\((?:\?(?:P?<\w*>|[imsU-]*:?))?)|(?<close>\))|(?<atom>\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]?|.)/gsu;

/**
 * The approximate number of steps in a regular expression, once its repetitions are expanded.
 *
 * - Why: the engine expands `(\pL|\pN){300}` before any time limit applies, so a short text can keep it busy for a
 *   minute. A text that is not a valid expression has a cost too.
 * - Source: RE2's syntax, https://github.com/google/re2/wiki/Syntax.
 */
export function patternCost(pattern: string): number {
  const groups: number[] = [0];
  let last = 0;
  const add = (cost: number) => {
    last = cost;
    groups.push((groups.pop() ?? 0) + cost);
  };
  for (const { groups: token = {} } of pattern.matchAll(TOKEN)) {
    const { least, most, open, close, atom = '' } = token;
    if (least !== undefined) add(last * (Math.max(Number(least), Number(most ?? 0)) - 1));
    else if (open !== undefined) groups.push(0);
    else if (close === undefined) add(atomCost(atom));
    else if (groups.length > 1) add(groups.pop() ?? 0);
  }
  return groups.reduce((sum, cost) => sum + cost, 0);
}

function atomCost(atom: string): number {
  if (atom === '.') return ANY_CHARACTER;
  if (atom.startsWith('\\Q')) return atom.length;
  const classes = atom.match(/\\[pP]/g)?.length ?? 0;
  const listed = atom.startsWith('[') ? Math.floor(atom.length / LISTED_FOR_ONE) : 0;
  const least = atom.startsWith('[^') ? ANY_CHARACTER : 1;
  return least + listed + classes * UNICODE_CLASS;
}
