import type {
  ChannelField,
  ChannelTest,
  SiteChannel,
} from '#domain/acquisition/channels/site-channel.ts';

/** The channel that a site gives a visit; `undefined` where none of its rules holds. */
export function findSiteChannel(
  channels: readonly SiteChannel[],
  visit: Readonly<Record<ChannelField, string>>,
): string | undefined {
  return channels.find(({ where }) => where.every((test) => holds(test, visit)))?.name;
}

function holds({ field, op, value }: ChannelTest, visit: Readonly<Record<ChannelField, string>>) {
  const [known, wanted] = [visit[field].toLowerCase(), value.toLowerCase()];
  switch (op) {
    case 'is':
      return known === wanted;
    case 'is_not':
      return known !== wanted;
    case 'contains':
      return known.includes(wanted);
    case 'contains_not':
      return !known.includes(wanted);
    case 'starts_with':
      return known.startsWith(wanted);
    case 'ends_with':
      return known.endsWith(wanted);
  }
}
