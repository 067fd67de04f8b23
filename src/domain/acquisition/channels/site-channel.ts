import { ok, type Result, refuse } from '../../result.ts';

/**
 * A custom channel of a site. A visit gets its name when all tests hold. Rules with the same name
 * are alternatives. Custom channels are evaluated in order, before the default channels.
 */
export type SiteChannel = { readonly name: string; readonly where: readonly ChannelTest[] };

/** A test of one field of a visit. Ignores case; an empty value matches visits without one. */
export type ChannelTest = {
  readonly field: ChannelField;
  readonly op: ChannelOp;
  readonly value: string;
};

/** The fields that a test can compare; `channel` is the default channel. */
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

/** The operators of a test. */
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

/** The most rules of a site. */
export const SITE_CHANNELS_MAX = 100;
const TESTS_MAX = 10;
const NAME_LENGTH_MAX = 64;
const VALUE_LENGTH_MAX = 255;

/**
 * Parses a rule from its name and tests such as `source is partner.example`.
 *
 * - Refuses an invalid name or test, with a sentence that says what is allowed.
 */
export function parseSiteChannel(
  name: string,
  where: readonly string[],
): Result<SiteChannel, string> {
  if (!/^[^\p{Cc}]{1,64}$/u.test(name) || name.trim() !== name) {
    return refuse(
      `A channel name has 1 to ${NAME_LENGTH_MAX} characters, without leading or trailing spaces.`,
    );
  }
  if (where.length === 0 || where.length > TESTS_MAX) {
    return refuse(`A channel has 1 to ${TESTS_MAX} tests, such as "source is partner.example".`);
  }
  const tests: ChannelTest[] = [];
  for (const text of where) {
    const test = parseTest(text);
    if (test === undefined) return refuse(`"${text.slice(0, 300)}" is not a test. ${FORM}`);
    tests.push(test);
  }
  return ok({ name, where: tests });
}

const FORM = `A test is a field (${CHANNEL_FIELDS.join(', ')}), an operator (${CHANNEL_OPS.join(', ')}) and a value of at most ${VALUE_LENGTH_MAX} characters: "source is partner.example". "medium is" matches visits without a medium.`;

function parseTest(text: string): ChannelTest | undefined {
  const [, first, second, value = ''] = /^\s*(\S+)\s+(\S+)\s*(.*?)\s*$/s.exec(text) ?? [];
  const field = CHANNEL_FIELDS.find((known) => known === first);
  const op = CHANNEL_OPS.find((known) => known === second);
  if (field === undefined || op === undefined || value.length > VALUE_LENGTH_MAX) return undefined;
  const needsValue = op !== 'is' && op !== 'is_not';
  return needsValue && value === '' ? undefined : { field, op, value };
}

/** Formats the rule's tests: `source is partner.example and medium is_not cpc`. */
export function formatChannel({ where }: SiteChannel): string {
  return where.map(({ field, op, value }) => `${field} ${op} ${value}`.trim()).join(' and ');
}
