import type { ChannelFacts } from './channel-facts.ts';
import { CHANNEL_RULES, UNASSIGNED } from './channel-rules.ts';

/** The default channel of a visit: the first whose rule holds; case counts nowhere. */
export function findChannel({ source, kind, medium, campaign }: ChannelFacts): string {
  const facts = {
    kind,
    source: source.toLowerCase(),
    medium: medium.toLowerCase(),
    campaign: campaign.toLowerCase(),
  };
  return CHANNEL_RULES.find(({ isOf }) => isOf(facts))?.channel ?? UNASSIGNED;
}
