import type { Bind } from '../../dimension.ts';
import { NO_VISIT } from '../../query/sql/rows.ts';
import type { Window } from '../steps/step.ts';
import { CODE_STEPS, happeningsSql, type SoughtSteps } from '../steps/step-events.ts';

/**
 * SQL of the try that counts of everybody who took the first step: `who`, `level` (how many steps they
 * took), and `took`, a tuple of the happening at each step.
 *
 * - Shape: of all tries the one that got furthest counts, the earliest of several. A try begins with any
 *   happening of the first step and takes of each further step the first after it, as long as that is within
 *   the window. `visit` is the one it began in; `who_text` whose it is. Of a happening only the number of
 *   {@link happeningsSql} is known: {@link atSql} says when it was.
 */
export function triesSql(sought: SoughtSteps, window: Window, bind: Bind): string {
  const { tellsVisit, tellsText } = sought;
  const text = tellsText ? ', who_text' : '';
  const count = sought.steps.length;
  if (window.of === 'time') {
    const grouped = groupedSql(happeningsSql(sought, bind), ['who'], {
      more: [...(tellsVisit ? ['groupArray(visit) AS visits'] : []), ...textOf(tellsText)],
    });
    const visit = tellsVisit
      ? ', arrayMin(arrayFilter((one, code) -> code = took.1, visits, found)) AS visit'
      : '';
    return `SELECT who, level, took${visit}${text} FROM (${bestSql(grouped, count, bind(window.ms, 'Int64'))})`;
  }
  const inVisits = `SELECT * FROM (${happeningsSql({ ...sought, tellsVisit: true }, bind)}) WHERE visit != ${NO_VISIT}`;
  const grouped = groupedSql(inVisits, ['who', 'visit'], { more: textOf(tellsText) });
  return `
    SELECT who, -best.1 AS level, best.2 AS took, best.3 AS visit${text}
    FROM (
      SELECT who, min((-toInt64(level), took, visit)) AS best${tellsText ? ', any(who_text) AS who_text' : ''}
      FROM (${bestSql(grouped, count, undefined)})
      GROUP BY who
    )`;
}

/** SQL of when a happening was, in milliseconds. */
export function atSql(code: string): string {
  return `intDiv(${code}, ${CODE_STEPS})`;
}

function textOf(tellsText: boolean): string[] {
  return tellsText ? ['any(who_text) AS who_text'] : [];
}

/**
 * SQL of the happenings (`found`, in no order) of each who took the first step, and when they first did.
 *
 * - Shape: `codes` are all of them in order; none of those who never took the second step, which most did not.
 */
function groupedSql(
  happenings: string,
  keys: readonly string[],
  { more }: { readonly more: readonly string[] },
): string {
  return `
    SELECT *, if(bitAnd(steps, 3) = 3, arraySort(found), []) AS codes
    FROM (
      SELECT ${[...keys, ...more].join(', ')}, groupArray(code) AS found,
        minIf(code, bitTest(code, 0)) AS first, groupBitOr(bitAnd(code, ${CODE_STEPS - 1})) AS steps
      FROM (${happenings})
      GROUP BY ${keys.join(', ')}
      HAVING bitTest(steps, 0)
    )`;
}

/**
 * SQL of the best try over `codes`: `level` and `took`.
 *
 * Why from the last step to the first: what follows a happening is then what follows its next step, found
 * in one pass over the array for each step, whatever its length.
 */
function bestSql(grouped: string, count: number, windowMs: string | undefined): string {
  const passes: string[] = [];
  for (let step = count; step >= 1; step -= 1) {
    const length = count - step + 1;
    const none = tuple(Array.from({ length }, () => 'toInt64(0)'));
    const after = Array.from({ length: length - 1 }, (_, index) => `further.${index + 1}`);
    const isLast = step === count;
    passes.push(
      `arrayMap((code${isLast ? '' : ', further'}) -> if(bitTest(code, ${step - 1}), ${tuple(['code', ...after])}, ${none}),
        codes${isLast ? '' : `, after${step + 1}`}) AS ways${step}`,
      `arrayShiftLeft(arrayReverseFill(way -> way.1 != 0, ways${step}), 1, ${none}) AS after${step}`,
    );
  }
  const isInTime = (step: number) =>
    windowMs === undefined
      ? `took.${step} != 0`
      : `took.${step} != 0 AND ${atSql(`took.${step}`)} - ${atSql('took.1')} <= ${windowMs}`;
  const further = Array.from({ length: count - 1 }, (_, index) => `(${isInTime(index + 2)})`);
  const alone = tuple(['first', ...Array.from({ length: count - 1 }, () => 'toInt64(0)')]);
  return `
    SELECT * EXCEPT (tries, levels), greatest(arrayMax(levels), 1) AS level,
      if(empty(codes), ${alone}, tries[indexOf(levels, level)]) AS took
    FROM (
      SELECT *, arrayFilter(way -> way.1 != 0, ways1) AS tries,
        arrayMap(took -> 1 + ${further.join(' + ')}, tries) AS levels
      FROM (SELECT *, ${passes.slice(0, -1).join(', ')} FROM (${grouped}))
    )`;
}

function tuple(elements: readonly string[]): string {
  return elements.length === 1 ? `tuple(${elements[0]})` : `(${elements.join(', ')})`;
}
