import { type Command, KEY_GROUPS } from './key-table.ts';

/** What of a key press decides. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key press means: an action, or that the next key decides. */
export type Resolved = { readonly command: Command } | { readonly isWaiting: true } | undefined;

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  KEY_GROUPS.flatMap(({ lines }) =>
    lines.flatMap(({ keys, command }) => (command === undefined ? [] : [[keys, command] as const])),
  ),
);

/** What a key means after the one before it (`G`, or an empty text); undefined when nothing. */
export function resolveKey(pressed: Pressed, before: string): Resolved {
  const keys = [before, nameOf(pressed)].filter(Boolean).join(' ');
  const command = COMMANDS.get(keys);
  if (command !== undefined) return { command };
  return keys === 'G' ? { isWaiting: true } : undefined;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: Pressed): string {
  const name = key === 'Escape' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key;
  if (altKey) return `Alt ${name}`;
  return ctrlKey || metaKey ? `Ctrl ${name}` : name;
}
