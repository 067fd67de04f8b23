import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import type { View } from '../../address/address.ts';
import { PERIODS } from '../../address/periods.ts';
import type { Theme } from '../../ui/theme.ts';
import { PLACES } from './sections.ts';

/** What a key, or an entry of the palette, does. */
export type Command =
  | { readonly path: string }
  /** Goes to a page below the site's own. */
  | { readonly section: string }
  | { readonly view: Partial<View> }
  /** Steps to the period before or after. */
  | { readonly step: -1 | 1 }
  /** Draws the line of a card, by its place. */
  | { readonly card: number }
  /** Filters by a value. */
  | { readonly dimension: string; readonly value: string }
  | { readonly theme: Theme }
  /** `detail` adds, say, a new filter's dimension. */
  | { readonly open: Opening; readonly detail?: string }
  | { readonly does: 'switch-comparison' | 'clear-filter' | 'sign-out' | 'read-docs' };

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
  name: 'Help',
  lines: [
    { keys: 'Ctrl K', label: 'Find anything', command: { open: 'palette' } },
    { keys: '?', label: 'Show keyboard shortcuts', command: { open: 'help' } },
  ],
};

/** Every shortcut, grouped. The help lists this table, and the keyboard follows it. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    name: 'Period',
    lines: [
      ...PERIODS.map(
        ({ value, label, shortcut }): KeyLine => ({
          ...{ keys: shortcut, label, command: { view: { period: value, from: '', to: '' } } },
        }),
      ),
      { keys: ',', label: 'Previous period', command: { step: -1 } },
      { keys: '.', label: 'Next period', command: { step: 1 } },
      { keys: 'C', label: 'Choose days', command: { open: 'calendar' } },
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
      ...{ keys: `G ${key}`, label, command: { section: path } },
    })),
  },
  {
    name: 'Filters',
    lines: [
      { keys: 'F', label: 'Add a filter', command: { open: 'filter' } },
      { keys: 'Esc', label: 'Remove the last filter', command: { does: 'clear-filter' } },
    ],
  },
  EVERYWHERE,
  {
    name: 'Chart',
    lines: [
      { keys: '1 – 8', label: 'Draw the line of the first card, the second …' },
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

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** A key press's meaning: an action, or a wait for the next key. */
export type KeyMeaning = { readonly command: Command } | { readonly isWaiting: true } | undefined;

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  KEY_GROUPS.flatMap(({ lines }) =>
    lines.flatMap(({ keys, command }) => (command === undefined ? [] : [[keys, command] as const])),
  ),
);

/** What a key means after the previous one (`G`, or an empty string); undefined for nothing. */
export function resolveKey(pressed: Pressed, before: string): KeyMeaning {
  const keys = [before, nameOf(pressed)].filter(Boolean).join(' ');
  const command = COMMANDS.get(keys);
  if (command !== undefined) return { command };
  if (/^[1-8]$/.test(keys)) return { command: { card: Number(keys) - 1 } };
  return keys === 'G' ? { isWaiting: true } : undefined;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: Pressed): string {
  const name = key === 'Escape' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key;
  if (altKey) return `Alt ${name}`;
  return ctrlKey || metaKey ? `Ctrl ${name}` : name;
}

/** What keys and the palette can open or start; its owner on the page listens. */
type Opening = 'calendar' | 'filter' | 'share' | 'help' | 'palette';

const openings = new EventTarget();

/**
 * Asks for something to be opened; `detail` adds, say, a new filter's dimension. The page knows of
 * it before the next key: React would render later, as this event is none of the user's.
 */
export function open(what: Opening, detail = ''): void {
  flushSync(() => openings.dispatchEvent(new CustomEvent(what, { detail })));
}

/** Listens for {@link open} while the component is mounted. */
export function useOpening(what: Opening, onOpen: (detail: string) => void): void {
  const listener = useEffectEvent((asked: Event) => onOpen((asked as CustomEvent<string>).detail));
  useEffect(() => {
    const listen = (asked: Event) => listener(asked);
    openings.addEventListener(what, listen);
    return () => openings.removeEventListener(what, listen);
  }, [what]);
}
