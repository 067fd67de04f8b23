import { createChecker, FAULTS_MAX } from '#contract/checker.ts';
import type { Fault } from '#contract/fault.ts';
import { withoutEmpty } from '#contract/optional.ts';
import { CostFields } from '#contract/payments/cost.ts';
import { findAcquisition } from '#domain/acquisition/find-acquisition.ts';
import { type Cost, toCostKey } from '#domain/money/cost.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import { parseAmount } from '#domain/money/parse-amount.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { NONE, UNATTRIBUTED } from '#domain/row-labels.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { parseDay } from '#domain/time/parse-period.ts';
import { zonedAt } from '#domain/time/period.ts';
import { loadSourceNames } from '#enrich/source-names.ts';

/** A cost as sent, with the decimal text of its amount. */
export type SentCost = { readonly fields: unknown; readonly amountText: string | undefined };

/** A cost, and its amount if that was rounded: `12 JPY`. */
type ParsedCost = { readonly cost: Cost; readonly roundedTo?: string };

/** When costs are reported, in milliseconds since 1970, and the time zone of their days. */
export type CostContext = { readonly timezone: string; readonly now: number };

const EARLIEST_DAY = '2000-01-01';
const checker = createChecker(CostFields);

/** Parses a cost. Refuses it with all its faults. `place` says where it stands, as in "line 3". */
export type ParseCost = (sent: SentCost, place: string) => Result<ParsedCost, Fault[]>;

/** Creates the function that parses costs one by one, each of which must differ from those before. */
export function createParseCost({ timezone, now }: CostContext): ParseCost {
  const lastDay = `${zonedAt(now + DAY_MS, timezone).toPlainDate()}`;
  const placesByKey = new Map<string, string>();

  return (sent, place) => {
    const parsed = parseCost(sent, lastDay);
    if (!parsed.ok) return parsed;
    const key = toCostKey(parsed.value.cost);
    const before = placesByKey.get(key);
    if (before !== undefined) {
      const message = `has the same date, source, medium and campaign as ${before}: send their sum once`;
      return refuse([{ path: '', message }]);
    }
    placesByKey.set(key, place);
    return parsed;
  };
}

function parseCost(sent: SentCost, lastDay: string): Result<ParsedCost, Fault[]> {
  const fields = withoutEmpty(sent.fields, CostFields);
  const isWellFormed = checker.isValid(fields);
  const faults = isWellFormed ? [] : checker.findFaults(fields);
  if (typeof fields !== 'object' || fields === null) return refuse(faults);
  const { date, currency: code } = fields as Readonly<Record<string, unknown>>;
  const add = (field: string, message: string | undefined) => {
    const path = `/${field}`;
    const isNew = !faults.some((fault) => fault.path === path);
    if (message !== undefined && isNew) faults.push({ path, message });
  };
  const day = String(date);
  add('date', findDayFault(day, lastDay));
  const currency = findCurrency(String(code).toUpperCase());
  if (currency === undefined) add('currency', 'must be an ISO 4217 code with a minor unit');
  const amount = currency && parseAmount(sent.amountText ?? '', currency);
  if (currency && !amount?.ok) add('amount', 'must be a number');
  const found = isWellFormed ? findSource(fields as CostFields) : undefined;
  if (found?.source === '') add('source', 'must name a source');
  if (faults.length > 0 || !found || !currency || !amount?.ok) return refuse(faults);
  const { source, medium, campaign, channel } = found;
  const { minor: amountMinor, isRounded } = amount.value;
  const cost = { day, source, medium, campaign, channel, amountMinor, currency: currency.code };
  if (!isRounded) return ok({ cost });
  return ok({ cost, roundedTo: `${formatAmount(amountMinor, currency)} ${currency.code}` });
}

function findDayFault(day: string, lastDay: string): string | undefined {
  if (parseDay(day) === undefined) return 'must be a day such as 2026-11-20';
  const isIn = day >= EARLIEST_DAY && day <= lastDay;
  return isIn ? undefined : `must be from ${EARLIEST_DAY} to ${lastDay}`;
}

let names: ReturnType<typeof loadSourceNames> | undefined;

/** Finds source, medium, campaign and channel as for a visit by a link with these tags. */
function findSource({ source, medium = '', campaign = '' }: CostFields) {
  names ??= loadSourceNames();
  const tags = { utm_source: source, utm_medium: medium, utm_campaign: campaign };
  const written = Object.entries(tags).map(([name, value]) => [name, toTag(value)] as const);
  const referrer = { url: '', host: '' };
  return findAcquisition(
    { tags: new Map(written), referrer, siteHosts: [] },
    { names, clickIds: [], checkoutHosts: [], signInPages: [], adFrames: [] },
  );
}

/** A tag as of a link; the labels of missing values are empty. */
function toTag(written: string): string {
  const text = written.trim();
  return text === NONE || text === UNATTRIBUTED ? '' : text;
}

/** Parses the costs of a request, and says which amounts were rounded. Refuses them all with the first faults. */
export function parseCosts(
  sent: readonly SentCost[],
  context: CostContext,
): Result<{ readonly costs: readonly Cost[]; readonly rounded: readonly string[] }, Fault[]> {
  const parse = createParseCost(context);
  const costs: Cost[] = [];
  const rounded: string[] = [];
  const faults: Fault[] = [];
  for (const [index, each] of sent.entries()) {
    const parsed = parse(each, `costs/${index}`);
    if (parsed.ok) {
      const { cost, roundedTo } = parsed.value;
      costs.push(cost);
      if (roundedTo) rounded.push(`costs/${index} to ${roundedTo}`);
    } else {
      faults.push(...parsed.error.map((of) => ({ ...of, path: `/costs/${index}${of.path}` })));
    }
  }
  if (faults.length > 0) return refuse(faults.slice(0, FAULTS_MAX));
  return ok({ costs, rounded });
}
