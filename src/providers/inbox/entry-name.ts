/** An event's id and type. */
type EventName = { readonly eventId: string; readonly type: string };

/** The name in the inbox of what was read from a list: its body is facts. */
export function toEntryName(list: string, name: string): EventName {
  return { eventId: `history ${list} ${name}`, type: `history: ${list}` };
}

/** Whether an event was read from a list. */
export function isEntry({ eventId, type }: EventName): boolean {
  return eventId.startsWith('history ') && type.startsWith('history: ');
}
