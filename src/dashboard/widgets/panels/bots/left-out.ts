type Meaning = { readonly name: string; readonly hint: string };

/** Bot classes, by their values of `visit:bot_class`. */
export const BOT_CLASSES: Readonly<Record<string, Meaning>> = {
  ai: { name: 'AI', hint: 'crawlers and assistants' },
  declared: { name: 'Declared', hint: 'search engines, monitors, libraries' },
  automation: { name: 'Automation', hint: 'automated browsers' },
  no_user_agent: { name: 'No user agent', hint: 'the request names no browser' },
  data_centre: { name: 'Data centres', hint: 'browsers on servers' },
};

/** Why events are dropped, by API reason. */
export const DROP_MEANINGS: Readonly<Record<string, Meaning>> = {
  invalid_event: { name: 'Invalid', hint: 'breaks a rule of the API' },
  unknown_site: { name: 'Unknown site', hint: 'no site has this id or domain' },
  site_of_another_key: { name: 'Another key’s site', hint: 'the key belongs to another site' },
  visitor_missing: { name: 'No visitor', hint: 'the event names no visitor' },
  hostname_not_allowed: { name: 'Host not allowed', hint: 'you can allow it in the settings' },
  occurred_at_out_of_range: { name: 'Time out of range', hint: 'too old, or in the future' },
  identity_conflict: { name: 'Another user id', hint: 'the visitor already has one' },
  identity_unsigned: { name: 'Not signed', hint: 'user_hash is missing or wrong' },
  excluded: { name: 'Excluded', hint: 'by this site’s settings, or by a user’s switch' },
};

/** What a reason means, as part of a sentence: `Time out of range (too old, or in the future)`. */
export function toMeaning(reason: string): string {
  const { name, hint } = DROP_MEANINGS[reason] ?? {};
  return name === undefined ? reason.replaceAll('_', ' ') : `${name} (${hint})`;
}

/** The number of events dropped per reason, largest first. */
export function sumDrops(
  counts: readonly { readonly reason: string; readonly count: number }[],
): readonly { readonly reason: string; readonly count: number }[] {
  const sums = new Map<string, number>();
  for (const { reason, count } of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((one, other) => other.count - one.count);
}
