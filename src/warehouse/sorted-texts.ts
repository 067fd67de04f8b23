/** Stands in no value: the write path takes control characters out of what visits are told by. */
export const MARK = String.raw`'\x1F'`;

/** SQL of the value at a place, from 1, in a text of values. */
export const valueAt = (text: string, place: number) =>
  `splitByChar(${MARK}, ${text}, ${place})[${place}]`;

/** SQL of columns that read a value out of a text of values; an instant stands in front of them. */
export const valuesIn = (text: string, names: readonly string[]) =>
  names.map((name, index) => `${name} String ALIAS ${valueAt(text, index + 2)}`);

/** SQL of an instant as text that sorts like it; events of the second rank sort after all others. */
export const rankedAt = (isFirstRank: string) =>
  `toString(toUnixTimestamp64Milli(e.occurred_at) + if(${isFirstRank}, 0, 4000000000000))`;

/**
 * The same for events of one visit: how long after its start they happened.
 *
 * Why: most visits start with their first event, and what is the same in all takes no room.
 */
export const rankedInVisit = (isFirstRank: string) =>
  `toString(${MS_AFTER_START} + if(${isFirstRank}, 3000000000000, 7000000000000))`;

/** SQL of how long after the start of its visit an event `e` happened, in milliseconds. */
export const MS_AFTER_START =
  '(toUnixTimestamp64Milli(e.occurred_at) - toUnixTimestamp64Milli(e.visit_started_at))';

/** SQL of values as one text, as {@link valuesIn} reads it. */
export const joined = (...values: readonly string[]) =>
  `concatWithSeparator(${MARK}, ${values.join(', ')})`;

/** SQL of whether an event `e` is a pageview. */
export const IS_PAGEVIEW = "e.type = 'pageview'";
