import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import type { View } from '../../address/address.ts';
import { PERIODS } from '../../address/periods.ts';
import type { Theme } from '../../ui/theme.ts';
import { PLACES } from './sections.ts';

/** What a key, or an entry of the palette, does. */
export type Command =
  | { readonly path: string }
  | { readonly view: Partial<View> }
  /** Filters by a value. */
  | { readonly dimension: string; readonly value: string }
  | { readonly theme: Theme }
  /** `detail` adds, say, a new filter's dimension. */
  | { readonly open: Opening; readonly detail?: string }
  | { readonly does: 'sign-out' | 'read-docs' };

type KeyLine = {
  /** As displayed: `D`, `G O`, `?`. */
  readonly keys: string;
  readonly label: string;
  /** Omitted where the focused part of the page handles the key itself. */
  readonly command?: Command;
};

/** A group of the shortcut table. */
export type KeyGroup = { readonly name: string; readonly lines: readonly KeyLine[] };

/** Those that work on every page. */
export const EVERYWHERE: KeyGroup = {
  name: 'Help',
  lines: [
    { keys: 'Ctrl K', label: 'Find anything', command: { open: 'palette' } },
    { keys: '?', label: 'Show keyboard shortcuts', command: { open: 'help' } },
  ],
};

const CARD: Command = { open: 'card', detail: '1' };

/** Every shortcut, grouped. The help lists this table, and the keyboard follows it. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    name: 'Period',
    lines: [
      ...PERIODS.map(
        ({ value, label, shortcut }): KeyLine => ({
          ...{ keys: shortcut, label, command: { open: 'period', detail: value } },
        }),
      ),
      { keys: ',', label: 'Previous period', command: { open: 'step', detail: '-1' } },
      { keys: '.', label: 'Next period', command: { open: 'step', detail: '1' } },
      { keys: 'C', label: 'Choose days', command: { open: 'calendar' } },
      { keys: 'X', label: 'Compare periods, or stop comparing', command: { open: 'comparison' } },
    ],
  },
  {
    name: 'Go to',
    lines: PLACES.map(({ label, path, key }) => ({
      ...{ keys: `G ${key}`, label, command: { open: 'section', detail: path } },
    })),
  },
  {
    name: 'Filters',
    lines: [
      { keys: 'F', label: 'Add a filter', command: { open: 'filter' } },
      { keys: 'Esc', label: 'Remove the last filter', command: { open: 'last-filter' } },
    ],
  },
  EVERYWHERE,
  {
    name: 'Chart',
    lines: [
      { keys: '1 – 8', label: 'Draw the line of the first card, the second …', command: CARD },
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
type KeyMeaning = { readonly command: Command } | { readonly isWaiting: true } | undefined;

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
  if (/^[1-8]$/.test(keys)) return { command: { open: 'card', detail: keys } };
  return keys === 'G' ? { isWaiting: true } : undefined;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: Pressed): string {
  const name = key === 'Escape' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key;
  if (altKey) return `Alt ${name}`;
  return ctrlKey || metaKey ? `Ctrl ${name}` : name;
}

/** What keys and the palette can open, choose or start; its owner on the page listens. */
type Opening =
  | ('section' | 'period' | 'step' | 'calendar' | 'comparison' | 'card')
  | ('filter' | 'last-filter' | 'share' | 'help' | 'palette');

type Listener = (detail: string) => void;

const owners = new Map<Opening, Set<Listener>>();

/** Whether the page has what a command opens: there are no periods in the settings. */
export function isHere(command: Command): boolean {
  const isFilter = 'value' in command || ('view' in command && command.view.filters !== undefined);
  const what = 'open' in command ? command.open : isFilter ? 'last-filter' : undefined;
  return what === undefined || (owners.get(what)?.size ?? 0) > 0;
}

/** The shortcuts that do something on the page. Panels are where there are both a chart and sections. */
export function groupsHere(): readonly KeyGroup[] {
  return KEY_GROUPS.filter(({ lines: [first] }) =>
    [first?.command].flatMap((one) => one ?? [CARD, { open: 'section' } as const]).every(isHere),
  );
}

/**
 * Asks for something to be opened; `detail` adds, say, a new filter's dimension. The page knows of
 * it before the next key: React would render later, as this event is none of the user's.
 */
export function open(what: Opening, detail = ''): void {
  const listeners = [...(owners.get(what) ?? [])]; // A copy: a listener may add or remove others.
  flushSync(() => listeners.forEach((listen) => void listen(detail)));
}

/** Listens for {@link open} while the component is mounted. */
export function useOpening(what: Opening, onOpen: Listener): void {
  const listener = useEffectEvent(onOpen);
  useEffect(() => {
    const listen: Listener = (detail) => listener(detail);
    const all = owners.get(what) ?? new Set();
    owners.set(what, all.add(listen));
    return () => void all.delete(listen);
  }, [what]);
}
