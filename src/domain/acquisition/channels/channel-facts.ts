/** What a brand is to the channels; the list of `data/source-names.csv`. */
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

/** One of {@link SOURCE_KINDS}; empty for a source that the table does not have. */
export type SourceKind = (typeof SOURCE_KINDS)[number] | '';

/** What the rules of channels look at: where a visit came from, in lower case. */
export type ChannelFacts = {
  readonly source: string;
  readonly kind: SourceKind;
  readonly medium: string;
  readonly campaign: string;
};
