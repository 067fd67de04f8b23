import { type Command, KEY_GROUPS } from './key-table.ts';

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
  if (/^[1-8]$/.test(keys)) return { command: { does: 'card', at: Number(keys) - 1 } };
  return keys === 'G' ? { isWaiting: true } : undefined;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: Pressed): string {
  const name = key === 'Escape' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key;
  if (altKey) return `Alt ${name}`;
  return ctrlKey || metaKey ? `Ctrl ${name}` : name;
}
