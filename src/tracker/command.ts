/** Properties by name, as pages give them. */
export type Texts = Record<string, string>;

/** The details of a type: a goal's name, or an event's own fields. */
export type Subject = Record<string, unknown>;

/** A command as a page calls it. */
export type Command = [type: string, subject?: unknown, metadata?: unknown];

/** How the script reads it: nothing is checked before the server does. */
export type Known = [type: string, subject: Subject, metadata?: Texts];

/** Takes the ids that a link carries. */
type Arrive = (found: string, id: string, visitId: string, sentAt: number) => void;

declare global {
  interface String {
    replace(pattern: RegExp, arrive: Arrive): string;
  }
}
