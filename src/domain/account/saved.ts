/** The kinds of items that people save for a site. */
export type SavedKind = 'segment' | 'funnel' | 'annotation';

/** A saved item. */
export type Saved = {
  readonly id: string;
  /** The owner of a personal item; `undefined` if the whole site shares it. */
  readonly userId: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
};
