import type { ChannelFacts } from './channel-facts.ts';

/** A channel, and the test for its visits. The first rule that holds wins. */
type ChannelRule = {
  readonly channel: string;
  readonly isOf: (facts: ChannelFacts) => boolean;
};

/** Media of paid clicks. */
const PAID = /^(?:.*cp.*|ppc|retargeting|paid.*)$/;
/** Campaigns named after a shop. The leading class excludes words such as "workshop". */
const SHOP_CAMPAIGN = /^(?:.*(?:(?:[^a-df-z]|^)shop|shopping).*)$/;

const NO_MEDIA = ['', '(none)', '(not set)'];
const DIRECT_SOURCES = ['', 'direct', '(direct)'];
const DISPLAY_MEDIA = ['display', 'banner', 'expandable', 'interstitial', 'cpm'];
const SOCIAL_MEDIA = [
  'social',
  'social-network',
  'social-media',
  'sm',
  'social network',
  'social media',
];
const REFERRAL_MEDIA = ['referral', 'app', 'link'];
const EMAIL_WORDS = ['email', 'e-mail', 'e_mail', 'e mail', 'newsletter'];

const isPaid = ({ medium }: ChannelFacts) => PAID.test(medium);
const isShopping = ({ kind, campaign }: ChannelFacts) =>
  kind === 'shopping' || SHOP_CAMPAIGN.test(campaign);

/**
 * The default channels, in order of evaluation. The first rule that holds decides.
 *
 * - Source: Google Analytics' default channel group (help 9756891). docs/tracking.md lists the
 *   differences and their reasons.
 */
export const CHANNEL_RULES: readonly ChannelRule[] = [
  {
    channel: 'Direct',
    isOf: ({ source, medium }) => DIRECT_SOURCES.includes(source) && NO_MEDIA.includes(medium),
  },
  { channel: 'Cross-network', isOf: ({ campaign }) => campaign.includes('cross-network') },
  { channel: 'Paid Shopping', isOf: (facts) => isPaid(facts) && isShopping(facts) },
  { channel: 'Paid Search', isOf: (facts) => isPaid(facts) && facts.kind === 'search' },
  { channel: 'Paid Social', isOf: (facts) => isPaid(facts) && facts.kind === 'social' },
  { channel: 'Paid Video', isOf: (facts) => isPaid(facts) && facts.kind === 'video' },
  { channel: 'Display', isOf: ({ medium }) => DISPLAY_MEDIA.includes(medium) },
  { channel: 'Paid Other', isOf: isPaid },
  { channel: 'Organic Shopping', isOf: isShopping },
  {
    channel: 'Organic Social',
    isOf: ({ kind, medium }) => kind === 'social' || SOCIAL_MEDIA.includes(medium),
  },
  {
    channel: 'Organic Video',
    isOf: ({ kind, medium }) => kind === 'video' || medium.includes('video'),
  },
  { channel: 'AI Assistants', isOf: ({ kind }) => kind === 'ai' },
  {
    channel: 'Organic Search',
    isOf: ({ kind, medium }) => kind === 'search' || medium === 'organic',
  },
  { channel: 'Referral', isOf: ({ medium }) => REFERRAL_MEDIA.includes(medium) },
  {
    channel: 'Email',
    isOf: ({ source, kind, medium }) =>
      kind === 'email' || EMAIL_WORDS.includes(source) || EMAIL_WORDS.includes(medium),
  },
  { channel: 'Affiliates', isOf: ({ medium }) => medium === 'affiliate' },
  { channel: 'Audio', isOf: ({ kind, medium }) => kind === 'audio' || medium === 'audio' },
  { channel: 'SMS', isOf: ({ source, medium }) => source === 'sms' || medium === 'sms' },
  {
    channel: 'Mobile Push Notifications',
    isOf: ({ source, medium }) =>
      medium.endsWith('push') || /mobile|notification/.test(medium) || source === 'firebase',
  },
  { channel: 'Referral', isOf: ({ medium }) => NO_MEDIA.includes(medium) },
];

/** The channel of visits that match no rule, such as links tagged with a custom medium. */
export const UNASSIGNED = 'Unassigned';

/** The default channel of a visit: the first whose rule holds. Ignores case. */
export function findChannel({ source, kind, medium, campaign }: ChannelFacts): string {
  const facts = {
    kind,
    source: source.toLowerCase(),
    medium: medium.toLowerCase(),
    campaign: campaign.toLowerCase(),
  };
  return CHANNEL_RULES.find(({ isOf }) => isOf(facts))?.channel ?? UNASSIGNED;
}
