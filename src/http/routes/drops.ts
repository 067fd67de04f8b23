import type { onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import { DROP_REASONS } from '#contract/event.ts';
import type { Fault } from '#contract/fault.ts';
import { parsePeriod } from '#domain/time/parse-period.ts';
import type { FoundDrops } from '#ledger/drop-store.ts';
import { refuseFaults } from '../answers/errors.ts';
import { type KeyDirectory, keyOf, requireKey } from '../requests/authenticate.ts';
import type { Server } from '../server/server-type.ts';

/** What the route of drops needs. */
export type DropRouteDeps = {
  readonly keys: KeyDirectory;
  readonly drops: {
    findDrops(siteId: string, hours: Hours): FoundDrops;
  };
  readonly sites: { findSite(id: string): { readonly timezone: string } | undefined };
  readonly limitReads: readonly onRequestHookHandler[];
  readonly now: () => number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAYS_MAX = 90;

const Answer = Type.Object(
  {
    results: Type.Array(
      Type.Object({ hour: Type.String(), reason: Type.String(), count: Type.Integer() }),
    ),
    samples: Type.Array(
      Type.Object({
        hour: Type.String(),
        reason: Type.String(),
        type: Type.String(),
        host: Type.String({ description: 'Registrable domain; `*.` for what stood before it.' }),
        path: Type.String({ description: 'How many steps it has: each is `*`.' }),
      }),
      { description: 'The latest, at most 20 of each reason.' },
    ),
  },
  { description: 'By hour in UTC; up to some seconds late.' },
);

/** `GET /api/v1/drops`: events that were not recorded, by hour and reason. */
export function addDropRoute(server: Server, deps: DropRouteDeps): void {
  const { keys, drops, sites, limitReads, now } = deps;
  server.route({
    method: 'GET',
    url: '/api/v1/drops',
    onRequest: [requireKey(keys, 'stats:read'), ...limitReads],
    schema: {
      operationId: 'findDrops',
      summary: 'Events that were not recorded, by hour and reason',
      tags: ['queries'],
      security: [{ key: ['stats:read'] }],
      querystring: Type.Object({
        days: Type.Optional(
          Type.String({ description: `How many days back: 1 to ${DAYS_MAX}; 7 by default.` }),
        ),
        from: Type.Optional(
          Type.String({
            description:
              'The first day or instant, as in `date_range` of a query, in place of `days`; days are those of the site’s time zone.',
          }),
        ),
        to: Type.Optional(
          Type.String({ description: 'The last day, or the instant after the last, with `from`.' }),
        ),
        reason: Type.Optional(Type.String({ description: 'Only events dropped for this reason.' })),
      }),
      response: {
        200: Answer,
        ...readErrors(),
      },
    },
    handler(request) {
      const { siteId } = keyOf(request);
      const asked = readQuery(request.query, {
        now: now(),
        timeZone: sites.findSite(siteId)?.timezone ?? 'UTC',
      });
      const found = drops.findDrops(siteId, asked);
      const isWanted = ({ reason }: { readonly reason: string }) =>
        asked.reason === undefined || reason === asked.reason;
      const toHour = (hourAt: number) => new Date(hourAt).toISOString();
      return {
        results: found.counts.filter(isWanted).map(({ hourAt, reason, count }) => ({
          hour: toHour(hourAt),
          reason,
          count,
        })),
        samples: found.samples.filter(isWanted).map(({ hourAt, reason, type, host, path }) => ({
          ...{ hour: toHour(hourAt), reason, type, host, path },
        })),
      };
    },
  });
}

type Asked = { readonly [Name in 'days' | 'from' | 'to' | 'reason']?: unknown };
type Calendar = Parameters<typeof parsePeriod>[1];
type Hours = { readonly from: number; readonly to: number };
type DropQuery = Hours & { readonly reason: string | undefined };

/** The hours in the query, as far as they touch the range, and the reason. */
function readQuery({ days, from, to, reason }: Asked, calendar: Calendar): DropQuery {
  const faults: Fault[] = [];
  if (reason !== undefined && !DROP_REASONS.some((known) => known === reason)) {
    faults.push({ path: '/reason', message: `must be one of ${DROP_REASONS.join(', ')}` });
  }
  const isRange = from !== undefined || to !== undefined;
  const hours = isRange
    ? readRange({ days, from, to }, calendar, faults)
    : readDays(days, calendar, faults);
  if (faults.length > 0) throw refuseFaults(faults);
  return { ...hours, reason: reason as string | undefined };
}

function readRange({ days, from, to }: Asked, calendar: Calendar, faults: Fault[]): Hours {
  if (days !== undefined) faults.push({ path: '/days', message: 'must not come with from and to' });
  for (const [name, value] of Object.entries({ from, to })) {
    if (typeof value !== 'string') faults.push({ path: `/${name}`, message: 'must be given once' });
  }
  if (faults.length > 0) return { from: 0, to: 0 };
  const period = parsePeriod([String(from), String(to)], calendar);
  if (period.ok) {
    const { startsAt, endsAt } = period.value;
    return { from: Math.floor(startsAt / HOUR_MS) * HOUR_MS, to: endsAt };
  }
  faults.push({ path: '/from', message: period.error });
  return { from: 0, to: 0 };
}

function readDays(text: unknown = '7', { now }: Calendar, faults: Fault[]): Hours {
  const days = typeof text === 'string' && /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > DAYS_MAX) {
    faults.push({ path: '/days', message: `must be a whole number from 1 to ${DAYS_MAX}` });
  }
  return { from: now - days * DAY_MS, to: now + DAY_MS };
}
