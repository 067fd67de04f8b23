/** Properties by name, as pages say them. */
export type Texts = Record<string, string>;

/** What is said of a type: a goal's name, or an event's own fields. */
export type Subject = Record<string, unknown>;

/** What a page says, whatever it is. */
export type Command = [type: string, subject?: unknown, metadata?: unknown];

/** What the script itself makes of it: nothing is checked before the server does. */
export type Known = [type: string, subject: Subject, metadata?: Texts];

/** What becomes of the ids that a link brought along. */
type Arrive = (found: string, id: string, visitId: string, sentAt: number) => void;

declare global {
  interface String {
    replace(pattern: RegExp, arrive: Arrive): string;
  }
}
