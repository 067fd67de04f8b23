/** A whole number with what it counts: `1 visit`, `1,200 visits`. */
export function countNoun(count: number | bigint, one: string): string {
  return `${count.toLocaleString('en')} ${one}${Number(count) === 1 ? '' : 's'}`;
}
