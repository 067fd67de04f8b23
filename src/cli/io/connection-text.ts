import { PROGRAM } from '#contract/program.ts';
import type { ProviderConnection, ProviderConnectionDetails } from '#contract/sites/providers.ts';
import type { Provider } from '#providers/provider.ts';
import { toTable } from './answer.ts';
import { toWalkText } from './backfill.ts';

/** What to do after connecting: at the provider, in the shop's code, and here. */
export function toGuide(
  answer: ProviderConnection,
  { title, eventTypes, visitorLine }: Provider,
): string {
  const { id, webhook_url: url, missing } = answer;
  const events = eventTypes.length > 0 ? [`Events: ${eventTypes.join(', ')}`] : [];
  const options = missing.map((name) => OPTIONS[name] ?? `--set ${name}=…`);
  const rest = `Then: ${PROGRAM} provider rotate ${id} ${options.join(' ')}`;
  return [
    `Connected ${title} as ${id}.`,
    `Webhook address: ${url}`,
    ...events,
    `So that payments find their visitor, add:\n  ${visitorLine}`,
    ...(options.length > 0 ? [rest] : []),
  ].join('\n\n');
}

/** The options that read a secret from stdin. */
const OPTIONS: Readonly<Record<string, string>> = {
  signing_secret: '--signing-secret -',
  api_key: '--api-key -',
};

/** A connection and what came of its events. */
export function toConnectionText({
  events,
  payments,
  history,
  poll,
  ...connection
}: ProviderConnectionDetails): string {
  const rows = events.map(({ type, state, count }) => [type, state, String(count)]);
  const lines = Object.entries(connection).filter(([, value]) => typeof value === 'string');
  return [
    lines.map(([name, value]) => `${name}: ${value}`).join('\n'),
    connection.missing.length > 0 ? `missing: ${connection.missing.join(', ')}` : '',
    toTable(['EVENT', 'STATE', 'COUNT'], rows, 'No event has arrived yet.'),
    `payments: ${Object.entries(payments)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
    history === null ? 'history: needs an API key' : `history: ${toWalkText(history)}`,
    poll === null ? '' : `poll: ${toWalkText(poll)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
