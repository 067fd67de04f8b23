import { PROGRAM } from '#contract/program.ts';
import type { InstallAnswer } from '#contract/sites/install.ts';
import { toGoalLine, toPaymentLine } from '#contract/sites/install-lines.ts';
import { toScriptTag } from '#contract/sites/script-tag.ts';
import { type ApiKey, stateOfKey } from '#domain/site/api-key.ts';
import type { KeyScope } from '#domain/site/scope.ts';
import type { Site } from '#domain/site/site.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { ExplainedPayment } from '../payments/explain-payment.ts';
import { type LastEvent, LOOK_BACK_DAYS } from './find-last-events.ts';

/** What was found of a site. */
type InstallFacts = {
  readonly site: Pick<Site, 'id' | 'domain' | 'currency'>;
  /** The server's URL. */
  readonly server: string;
  readonly now: number;
  readonly lastPageview: LastEvent | undefined;
  readonly lastGoal: LastEvent | undefined;
  /** Hosts whose events were refused in the last day. */
  readonly refusedHosts: readonly string[];
  readonly keys: readonly ApiKey[];
  /** The latest payment. */
  readonly latest: ExplainedPayment | undefined;
  /** The latest attributed one. */
  readonly attributed: ExplainedPayment | undefined;
};

type Check = InstallAnswer['checks'][number];

/** Says in words what is installed and what is not, with the lines to add. */
export function describeInstall(facts: InstallFacts): InstallAnswer {
  const checks = [describeScript(facts), describeGoals(facts), describePayments(facts)];
  return {
    site: facts.site.domain,
    installed: checks.every(({ ok }) => ok),
    summary: checks.map(({ message }) => message).join(' '),
    checks,
  };
}

function describeScript({ site, server, now, lastPageview, refusedHosts }: InstallFacts): Check {
  const refused =
    refusedHosts.length === 0
      ? ''
      : ` Events from ${refusedHosts.join(', ')} were refused: if a host is yours, allow it in the site’s settings.`;
  if (lastPageview !== undefined) {
    const { at, hostname, path } = lastPageview;
    const page = hostname === site.domain ? path : `${hostname}${path}`;
    const message = `Last pageview ${toAgo(now - at)} from ${page}.${refused}`;
    return { name: 'script', ok: true, message };
  }
  const message = `No pageview in the last ${LOOK_BACK_DAYS} days: add the script to every page.${refused}`;
  return { name: 'script', ok: false, message, add: toScriptTag(site, server).tag };
}

function describeGoals({ server, now, lastGoal, keys, site }: InstallFacts): Check {
  const allowed = describeKeys(keys, 'goals:write', now);
  if (lastGoal !== undefined) {
    const { at, name, isFromServer } = lastGoal;
    const from = isFromServer ? `from a backend, ${allowed}` : 'from a page';
    return { name: 'goals', ok: true, message: `Last goal ${name} ${toAgo(now - at)}, ${from}.` };
  }
  const message = `No goal in the last ${LOOK_BACK_DAYS} days.${findKeyFault(keys, 'goals:write', site, now)}`;
  return { name: 'goals', ok: false, message, add: toGoalLine(server) };
}

function describePayments(facts: InstallFacts): Check {
  const { server, site, now, latest, attributed, keys } = facts;
  const add = toPaymentLine(server, site.currency);
  if (latest === undefined) {
    const message = `No payment is recorded.${findKeyFault(keys, 'payments:write', site, now)}`;
    return { name: 'payments', ok: false, message, add };
  }
  const last = `Last payment ${describePayment(latest, now)}`;
  if (latest === attributed) {
    return { name: 'payments', ok: true, message: `${last}, attributed to ${sourceOf(latest)}.` };
  }
  const why = `${last}, not attributed: ${latest.why ?? 'no visit is credited.'}`;
  if (attributed === undefined) return { name: 'payments', ok: false, message: why, add };
  const other = `${describePayment(attributed, now)} is attributed to ${sourceOf(attributed)}`;
  return { name: 'payments', ok: true, message: `${why} Payment ${other}.` };
}

function describePayment({ payment }: ExplainedPayment, now: number): string {
  const { transaction_id: id, amount, paid_at } = payment;
  return `${id} (${amount.value} ${amount.currency}) ${toAgo(now - Date.parse(paid_at))}`;
}

/** The sources that get the credit. */
function sourceOf({ credit }: ExplainedPayment): string {
  const sources = new Set(credit.map(({ values }) => values.source ?? ''));
  return (
    [...sources].filter((source) => source !== '').join(' and ') ||
    'a visit whose source will show in a moment'
  );
}

/** The key that must have reported it, or those that may have: keys are not recorded with events. */
function describeKeys(keys: readonly ApiKey[], scope: KeyScope, now: number): string {
  const live = keysFor(keys, scope, now);
  const used = live.filter(({ lastUsedAt }) => lastUsedAt !== undefined);
  const [only, ...others] = used.length === 0 ? live : used;
  if (only === undefined) return 'by a key that is no longer valid';
  if (others.length === 0) return `by the key ${nameOf(only)}`;
  return `by one of the keys ${[only, ...others].map(nameOf).join(', ')}`;
}

/** That no key may report it, and the command that makes one. */
function findKeyFault(
  keys: readonly ApiKey[],
  scope: KeyScope,
  { domain }: Pick<Site, 'domain'>,
  now: number,
): string {
  if (keysFor(keys, scope, now).length > 0) return '';
  return ` No key has the scope ${scope}: run ${PROGRAM} key create --site ${domain}.`;
}

function keysFor(keys: readonly ApiKey[], scope: KeyScope, now: number): ApiKey[] {
  return keys.filter((key) => key.scopes.includes(scope) && stateOfKey(key, now) === 'live');
}

const nameOf = ({ name, last4 }: ApiKey): string => name || `…${last4}`;

const UNITS = [
  [2 * DAY_MS, DAY_MS, 'days'],
  [2 * HOUR_MS, HOUR_MS, 'h'],
  [2 * MINUTE_MS, MINUTE_MS, 'min'],
  [0, 1_000, 's'],
] as const;

/** A time that has passed, in words: `12 s ago`. A client's clock may be ahead. */
function toAgo(ms: number): string {
  const [, unitMs, unit] = UNITS.find(([from]) => ms >= from) ?? [0, 1_000, 's'];
  return `${Math.max(0, Math.floor(ms / unitMs))} ${unit} ago`;
}
