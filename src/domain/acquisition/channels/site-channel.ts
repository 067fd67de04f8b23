import { ok, type Result, refuse } from '../../result.ts';

/**
 * A channel of a site's own: the name that visits get for which all tests hold. Two rules of one
 * name are alternatives. They are evaluated in order, before the default channels.
 */
export type SiteChannel = { readonly name: string; readonly where: readonly ChannelTest[] };

/** A test of what is known of a visit. Case counts nowhere; an empty value is what has none. */
export type ChannelTest = {
  readonly field: ChannelField;
  readonly op: ChannelOp;
  readonly value: string;
};

/** What a test looks at; `channel` is the default one. */
export const CHANNEL_FIELDS = [
  'source',
  'medium',
  'campaign',
  'term',
  'content',
  'click_id',
  'referrer',
  'entry_page',
  'channel',
] as const;
/** One of {@link CHANNEL_FIELDS}. */
export type ChannelField = (typeof CHANNEL_FIELDS)[number];

/** How a test compares. */
export const CHANNEL_OPS = [
  'is',
  'is_not',
  'contains',
  'contains_not',
  'starts_with',
  'ends_with',
] as const;
/** One of {@link CHANNEL_OPS}. */
export type ChannelOp = (typeof CHANNEL_OPS)[number];

/** How many rules a site may have, and tests a rule. */
export const SITE_CHANNELS_MAX = 100;
const TESTS_MAX = 10;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 255;

/**
 * A rule from its name and texts such as `source is partner.example`.
 *
 * - Refuses a name or a test that is none, with what is allowed.
 */
export function parseSiteChannel(
  name: string,
  where: readonly string[],
): Result<SiteChannel, string> {
  if (!/^[^\p{Cc}]{1,64}$/u.test(name) || name.trim() !== name) {
    return refuse(
      `A channel's name has 1 to ${NAME_LENGTH_MAX} characters, none at its ends blank.`,
    );
  }
  if (where.length === 0 || where.length > TESTS_MAX) {
    return refuse(`A channel has 1 to ${TESTS_MAX} tests, such as "source is partner.example".`);
  }
  const tests: ChannelTest[] = [];
  for (const text of where) {
    const test = parseTest(text);
    if (test === undefined) return refuse(`"${text.slice(0, 300)}" is no test. ${FORM}`);
    tests.push(test);
  }
  return ok({ name, where: tests });
}

const FORM = `A test is a field (${CHANNEL_FIELDS.join(', ')}), an operator (${CHANNEL_OPS.join(', ')}) and a value of at most ${VALUE_LENGTH_MAX} characters: "source is partner.example"; "medium is" holds for visits without one.`;

function parseTest(text: string): ChannelTest | undefined {
  const [, first, second, value = ''] = /^\s*(\S+)\s+(\S+)\s*(.*?)\s*$/s.exec(text) ?? [];
  const field = CHANNEL_FIELDS.find((known) => known === first);
  const op = CHANNEL_OPS.find((known) => known === second);
  if (field === undefined || op === undefined || value.length > VALUE_LENGTH_MAX) return undefined;
  const isAboutNothing = value === '' && op !== 'is' && op !== 'is_not';
  return isAboutNothing ? undefined : { field, op, value };
}

/** The rule as text: `source is partner.example and medium is_not cpc`. */
export function toText({ where }: SiteChannel): string {
  return where.map(({ field, op, value }) => `${field} ${op} ${value}`.trim()).join(' and ');
}
