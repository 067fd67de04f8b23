/** The periods that have a shortcut, in query API terms. */
export const PERIODS: readonly {
  readonly value: string;
  readonly label: string;
  readonly shortcut: string;
}[] = [
  { value: 'today', label: 'Today', shortcut: 'D' },
  { value: 'yesterday', label: 'Yesterday', shortcut: 'E' },
  { value: '7d', label: 'Last 7 days', shortcut: 'W' },
  { value: '30d', label: 'Last 30 days', shortcut: 'T' },
  { value: 'month', label: 'Month to date', shortcut: 'M' },
  { value: 'last_month', label: 'Last month', shortcut: 'L' },
  { value: 'year', label: 'Year to date', shortcut: 'Y' },
  { value: 'all', label: 'All time', shortcut: 'A' },
];
