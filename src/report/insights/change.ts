import { binomialChance, studentChance } from './chance.ts';

/** A number of events, and among how many chances they happened: buyers of visitors, or visitors of one week. */
export type Counted = { readonly count: number; readonly of: number };

/** How much counts vary between weeks; 1 is what chance alone would do. */
type Spread = { readonly squares: number; readonly degrees: number };

/** A count of this week, and those of the weeks before. */
export type Series = { readonly now: Counted; readonly before: readonly Counted[] };

/** How much the earlier weeks differ from one another. */
export function spreadOf(before: readonly Counted[]): Spread {
  const all = sumOf(before);
  const squares = before.map(({ count, of }) => {
    const expected = (of * all.count) / all.of;
    return expected > 0 ? (count - expected) ** 2 / expected : 0;
  });
  const degrees = all.count > 0 ? before.length - 1 : 0;
  return { squares: sum(squares), degrees };
}

/**
 * How likely it is that this week is as far from the earlier ones, if nothing changed.
 *
 * - Shape: the larger of two answers. The first is exact for events that do not depend on each other. The second knows
 *   that weeks differ more than that: as much as the earlier ones did, in this series and in `others` of its kind.
 */
export function chanceOfChange({ now, before }: Series, others: Spread): number {
  const earlier = sumOf(before);
  const all = sumOf([now, earlier]);
  if (all.count === 0 || now.of <= 0 || earlier.of <= 0) return 1;
  const exact = binomialChance(now.count, all.count, now.of / all.of);
  const own = spreadOf(before);
  const shared = Math.min(others.degrees, before.length - 1);
  const degrees = own.degrees + shared;
  if (degrees === 0) return exact;
  const squares = own.squares + (shared * others.squares) / Math.max(1, others.degrees);
  const ratio = Math.max(1, squares / degrees);
  const variance = (ratio * all.count * now.of) / earlier.of;
  const distance = now.count - (now.of * earlier.count) / earlier.of;
  return Math.max(exact, studentChance(distance / Math.sqrt(variance), degrees));
}

/** How likely it is that two groups differ as much, if their rates are the same. */
export function chanceOfContrast(one: Counted, others: Counted): number {
  if (one.of <= 0 || others.of <= 0) return 1;
  return binomialChance(one.count, one.count + others.count, one.of / (one.of + others.of));
}

/**
 * How likely it is that the values of these days are ranked as far from those of the days before, if nothing changed.
 *
 * - Why ranks: amounts have heavy tails, and one huge amount is one day, not a change.
 * - Source: the test of Mann and Whitney, with ties, by its normal approximation; for few values it errs towards
 *   silence.
 */
export function chanceOfRanks(now: readonly number[], before: readonly number[]): number {
  const [n, m] = [now.length, before.length];
  const above = now.flatMap((one) => before.map((other) => (Math.sign(one - other) + 1) / 2));
  const distance = sum(above) - (n * m) / 2;
  const ties = [...Map.groupBy([...now, ...before], (value) => value).values()];
  const tied = sum(ties.map(({ length: t }) => t ** 3 - t));
  const variance = ((n * m) / 12) * (n + m + 1 - tied / ((n + m) * (n + m - 1)));
  if (variance <= 0) return 1;
  const far = Math.max(0, Math.abs(distance) - 0.5) / Math.sqrt(variance);
  return studentChance(far, NORMAL);
}

/** With so many degrees of freedom, Student's distribution is the normal one. */
const NORMAL = 1e6;

/** All as one. */
export function sumOf(counts: readonly Counted[]): Counted {
  return { count: sum(counts.map(({ count }) => count)), of: sum(counts.map(({ of }) => of)) };
}

/** The values added up. */
export function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
