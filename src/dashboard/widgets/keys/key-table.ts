import { PERIODS } from '../../address/periods.ts';
import type { Opening } from './commands.ts';
import { PLACES } from './sections.ts';

/** A key's action. */
export type Command =
  | { readonly does: 'open'; readonly what: Opening }
  | { readonly does: 'period'; readonly period: string }
  | { readonly does: 'step'; readonly by: -1 | 1 }
  | { readonly does: 'section'; readonly path: string }
  | { readonly does: 'card'; readonly at: number }
  | { readonly does: 'switch-comparison' }
  | { readonly does: 'clear-filter' };

type KeyLine = {
  /** As displayed: `D`, `G O`, `?`. */
  readonly keys: string;
  readonly label: string;
  /** Omitted where the focused part of the page handles the key itself. */
  readonly command?: Command;
};

/** A group of the shortcut table. */
export type KeyGroup = { readonly name: string; readonly lines: readonly KeyLine[] };

/** Those that also work outside a site. */
export const EVERYWHERE: KeyGroup = {
  name: 'Everywhere',
  lines: [
    { keys: 'Ctrl K', label: 'Find anything', command: { does: 'open', what: 'palette' } },
    { keys: '?', label: 'Show keyboard shortcuts', command: { does: 'open', what: 'help' } },
  ],
};

/** Every shortcut, grouped. The help lists this table, and the keyboard follows it. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    name: 'Period',
    lines: [
      ...PERIODS.map(
        ({ value, label, shortcut }): KeyLine => ({
          ...{ keys: shortcut, label, command: { does: 'period', period: value } },
        }),
      ),
      { keys: ',', label: 'Previous period', command: { does: 'step', by: -1 } },
      { keys: '.', label: 'Next period', command: { does: 'step', by: 1 } },
      { keys: 'C', label: 'Choose days', command: { does: 'open', what: 'calendar' } },
      {
        keys: 'X',
        label: 'Compare periods, or stop comparing',
        command: { does: 'switch-comparison' },
      },
    ],
  },
  {
    name: 'Go to',
    lines: PLACES.map(({ label, path, key }) => ({
      ...{ keys: `G ${key}`, label, command: { does: 'section', path } },
    })),
  },
  {
    name: 'Filters',
    lines: [
      { keys: 'F', label: 'Add a filter', command: { does: 'open', what: 'filter' } },
      { keys: 'Esc', label: 'Remove the last filter', command: { does: 'clear-filter' } },
    ],
  },
  EVERYWHERE,
  {
    name: 'Chart',
    lines: [
      { keys: '1 – 8', label: 'Draw the first card, the second …' },
      { keys: '← →', label: 'Move along the chart' },
    ],
  },
  {
    name: 'Panels',
    lines: [
      { keys: 'J', label: 'Next panel' },
      { keys: 'K', label: 'Previous panel' },
      { keys: '↑ ↓', label: 'Move between rows' },
      { keys: 'Enter', label: 'Filter by the row' },
      { keys: 'Alt Enter', label: 'Exclude the row' },
    ],
  },
];
