import type { ProvidersAnswer } from '#contract/sites/providers.ts';
import { useOfSite, useSite } from '../../api/account.ts';
import { formatNoun, formatWhole } from '../../format/numbers.ts';

type Facts = Pick<
  ShownConnection,
  'missing' | 'last_event_at' | 'last_error' | 'last_error_at' | 'events' | 'failed'
>;

/** How a connection is, in words, and what to do about it. */
type ConnectionState = {
  readonly mood: 'good' | 'bad' | 'people';
  readonly label: string;
  readonly advice?: string;
};

/** Says how a connection is: its newest trouble first. */
export function toState(connection: Facts): ConnectionState {
  const { missing, last_event_at: eventAt, last_error: error, last_error_at: errorAt } = connection;
  if (missing.length > 0) return { mood: 'people', label: 'Not set up' };
  if (error !== null && (errorAt ?? '') > (eventAt ?? '')) {
    return { mood: 'bad', label: 'Error', advice: `${error} ${adviceFor(connection)}` };
  }
  const failed = countOf(connection, 'failed');
  if (failed > 0) {
    const label = `Working, ${formatNoun(failed, 'event')} failed`;
    return { mood: 'bad', label, advice: 'Read them again after an update: nothing counts twice.' };
  }
  if (eventAt === null) return { mood: 'people', label: 'Waiting for its first event' };
  return { mood: 'good', label: 'Working' };
}

/** How many events have a state. */
export function countOf({ events }: Pick<Facts, 'events'>, state: string): number {
  return events.reduce((sum, each) => sum + (each.state === state ? each.count : 0), 0);
}

/** An error of an event is about what it says; any other is about the delivery, which was refused. */
function adviceFor({ failed, last_error: error }: Facts): string {
  return failed.some(({ why }) => error?.endsWith(why))
    ? 'Read the failed events again after an update.'
    : 'Compare the webhook at the provider with this connection: its address and its secret.';
}

const WAYS = [
  ['by_event', 'by the payment itself'],
  ['by_subscription', 'by their subscription'],
  ['by_order', 'by their order'],
  ['by_customer', 'by their customer'],
] as const;

/** How many payments found their visitor, and by which way. */
export function describePayments({ all, ...found }: ShownConnection['payments']): string {
  if (all === 0) return 'No payments yet.';
  const known = all - found.without_visitor;
  const ways = WAYS.filter(([name]) => found[name] > 0).map(
    ([name, words]) => `${formatWhole(found[name])} ${words}`,
  );
  const list = ways.length === 0 ? '' : `: ${ways.join(', ')}`;
  return `${formatWhole(known)} of ${formatNoun(all, 'payment')} found their visitor${list}.`;
}

/** A provider that can be connected. */
export type KnownProvider = ProvidersAnswer['providers'][number];
/** A connection, with what came of its events. */
export type ShownConnection = ProvidersAnswer['connections'][number];

/** One connection, with the provider that it is to. */
export type ConnectionProps = {
  readonly connection: ShownConnection;
  readonly provider: KnownProvider;
};

/** How often a page that waits for events looks for them. */
export const WAITING_MS = 3_000;
const LOOK_AGAIN_MS = 15_000;

/** The providers that can be connected, and the site's connections. */
export function useProviders(everyMs = LOOK_AGAIN_MS) {
  return useOfSite<ProvidersAnswer>('/providers', { refetchInterval: everyMs });
}

/** The address of the page of a connection, of the choice of one (`new`), or of all. */
export function useProvidersPath() {
  const { domain } = useSite();
  return (item = '') => `/${domain}/settings/providers${item === '' ? '' : `/${item}`}`;
}
