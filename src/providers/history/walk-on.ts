import type { HistoryPage, Walk, WalkKind } from '#domain/money/walk.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { JsonValue } from '../json.ts';
import type { Backfill, BackfillPage, BackfillResult } from '../provider.ts';
import type { AskOutcome, AskProvider } from './ask-provider.ts';
import { findReached, toEntries } from './to-entries.ts';

/** How far back the poll looks: webhooks are retried for up to three days. */
const POLL_MS = 3 * DAY_MS;
const POLL_EVERY_MS = HOUR_MS;
/** So that many connections do not ask in the same minute. */
const POLL_JITTER_MS = 10 * MINUTE_MS;

/** How many pages of a list without times the poll reads. */
const POLL_PAGES = 3;

/** No provider is older. */
const EARLIEST = Date.UTC(2010, 0, 1);
const YEAR_MS = 365 * DAY_MS;

/** How often a request is tried again, and for how long at most. A poll tries again an hour later. */
const FAILURES_MAX: Readonly<Record<WalkKind, number>> = { history: 14, poll: 3 };
const [FIRST_WAIT_MS, WAIT_MAX_MS] = [1_000, 10 * MINUTE_MS];

/** What a walk needs. */
export type WalkPorts = {
  readonly provider: { readonly title: string; readonly backfill: Backfill };
  readonly ask: AskProvider;
  /** What the ids of its connection begin with. */
  readonly prefix: string | undefined;
  now(): number;
};

/** What reading a page came to: where the walk stands then, and what was on the page. */
type Step = { readonly walk: Walk; readonly page: HistoryPage };

const NO_PAGE: HistoryPage = { entries: [], fault: undefined };

/** Begins a poll, or begins it again: from days before it last looked at everything. */
export function beginAgain(walk: Walk, at: number): Walk {
  const isInside = walk.list !== undefined && walk.endedAt === undefined;
  if (isInside || walk.kind === 'history') return walk;
  const { error, since: before, endedAt = before } = walk;
  const looked = error === undefined ? endedAt : before + POLL_MS;
  const begun = { list: undefined, cursor: undefined, pages: 0, failures: 0, endedAt: undefined };
  const since = Math.min(looked, at) - POLL_MS;
  return { ...walk, ...begun, error: undefined, leftOut: undefined, since, until: at };
}

/** Reads the next page of a walk. */
export async function walkOn(walk: Walk, ports: WalkPorts): Promise<Step> {
  const { provider, ask, prefix, now } = ports;
  const { backfill } = provider;
  const [first] = backfill.lists;
  const { list = first, cursor, until } = walk;
  if (list === undefined) return { walk: toEnd(walk, now()), page: NO_PAGE };
  const earliest = backfill.yearsMax === undefined ? EARLIEST : until - backfill.yearsMax * YEAR_MS;
  const place = { list, since: Math.max(walk.since, earliest), until, cursor };
  const asked = await ask((secrets) => backfill.request(place, secrets));
  const read = asked.kind === 'answer' ? readPage(provider, place, asked.answer) : asked;
  if ('kind' in read) {
    return { walk: afterFailure({ ...walk, list }, read, backfill, now()), page: NO_PAGE };
  }
  const onward: Walk = {
    ...{ ...walk, list, cursor: read.cursor, pages: walk.pages + 1 },
    ...{ failures: 0, error: undefined, dueAt: now() },
    reachedAt: findReached(read.translations) ?? walk.reachedAt,
  };
  const page = toEntries(list, read.translations, prefix);
  const isEnough = walk.kind === 'poll' && backfill.undated?.includes(list) === true;
  const isOver = isEnough ? !(Number(read.cursor) <= POLL_PAGES) : read.cursor === undefined;
  return { walk: isOver ? toNextList(onward, backfill, now()) : onward, page };
}

type Failure = Exclude<AskOutcome, { readonly kind: 'answer' }>;

/** A page, unless the answer cannot be one: every list is a list of something, and goes on. */
function readPage(
  { title, backfill }: WalkPorts['provider'],
  place: BackfillPage,
  answer: JsonValue,
): BackfillResult | Failure {
  const later = (why: string) => ({ kind: 'later', why, waitMs: undefined }) as const;
  const odd = later(`${title} answered the list of ${place.list} with something else.`);
  if (!hasList(answer)) return odd;
  try {
    const read = backfill.read(place, answer);
    if (read.fault !== undefined) return later(`${title} answered: ${read.fault}`);
    return read.cursor !== undefined && read.cursor === place.cursor ? odd : read;
  } catch {
    return odd;
  }
}

/** How deep the lists of all providers are. */
const LIST_DEPTH = 3;

function hasList(value: JsonValue | undefined, depth = LIST_DEPTH): boolean {
  if (Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).some((each) => hasList(each, depth - 1));
}

function afterFailure(walk: Walk, failure: Failure, backfill: Backfill, at: number): Walk {
  if (failure.kind === 'refused') {
    if (failure.of === 'key') return toEnd({ ...walk, error: failure.why }, at);
    const { list = '', leftOut: before } = walk;
    const sentences = [before, `The list of ${list} is left out.`, costOf(list, backfill)];
    const leftOut = [...sentences, failure.why].filter(Boolean).join(' ');
    return toNextList({ ...walk, leftOut }, backfill, at);
  }
  const failures = walk.failures + 1;
  const failed: Walk = { ...walk, failures, error: failure.why };
  if (failures > FAILURES_MAX[walk.kind]) return toEnd(failed, at);
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), WAIT_MAX_MS);
  return { ...failed, dueAt: at + Math.max(waitMs, failure.waitMs ?? 0) };
}

/** What the history lacks without a list, and the permission that is needed. */
function costOf(list: string, { permissionOf }: Backfill): string {
  const [, lacking] = COSTS.find(([name]) => name.test(list)) ?? [];
  const permission = permissionOf?.(list);
  const needed =
    permission === undefined ? '' : ` The API key needs the permission "${permission}".`;
  return `Without it, history has no ${lacking ?? 'payments'}.${needed}`;
}

const COSTS = [
  [/adjustment/, 'refunds and disputes'],
  [/refund/, 'refunds'],
  [/dispute|chargeback/, 'disputes'],
  [/invoice/, 'renewals'],
  [/subscription/, 'trials, and renewals may lack their visitors'],
  [/checkout/, 'visitors of checkouts'],
] as const;

function toNextList(walk: Walk, { lists }: Backfill, at: number): Walk {
  const next = lists[lists.indexOf(walk.list ?? '') + 1];
  if (next === undefined) return toEnd(walk, at);
  return { ...walk, list: next, cursor: undefined, failures: 0, dueAt: at };
}

/** At its end. A poll begins again in an hour; a history that failed keeps its place, and goes on when it is asked to. */
function toEnd(walk: Walk, at: number): Walk {
  const pollAt = at + POLL_EVERY_MS - Math.floor(Math.random() * POLL_JITTER_MS);
  return { ...walk, endedAt: at, dueAt: walk.kind === 'poll' ? pollAt : undefined };
}
