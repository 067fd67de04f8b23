/** Kinds of source, as `data/source-names.csv` lists them. Channel rules test them. */
export const SOURCE_KINDS = [
  'ai',
  'search',
  'social',
  'video',
  'shopping',
  'email',
  'audio',
  'other',
] as const;

/** One of {@link SOURCE_KINDS}; empty for an unknown source. */
export type SourceKind = (typeof SOURCE_KINDS)[number] | '';

/** The facts that channel rules test, in lower case. */
export type ChannelFacts = {
  readonly source: string;
  readonly kind: SourceKind;
  readonly medium: string;
  readonly campaign: string;
};
