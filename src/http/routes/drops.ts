import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import { DROP_REASONS } from '#contract/event.ts';
import type { Fault } from '#contract/fault.ts';
import { parsePeriod } from '#domain/time/parse-period.ts';
import { refuseFaults } from '../answers/errors.ts';
import { keyOf, requireKey } from '../requests/authenticate.ts';
import { readEnds, readParams, readWhole } from '../requests/read-params.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAYS_MAX = 90;
const NAMES = ['days', 'from', 'to', 'reason'] as const;

const Hour = Type.String({ format: 'date-time', description: 'The start of the hour.' });
const Answer = Type.Object(
  {
    results: Type.Array(Type.Object({ hour: Hour, reason: Type.String(), count: Type.Integer() })),
    samples: Type.Array(
      Type.Object({
        hour: Hour,
        reason: Type.String(),
        type: Type.String(),
        host: Type.String({
          description: 'The registrable domain of the page; `*.` replaces subdomains.',
        }),
        path: Type.String({ description: 'The path of the page; `*` replaces each segment.' }),
      }),
      { description: 'The latest dropped events, at most 20 for each reason.' },
    ),
  },
  { description: 'Dropped events by hour (UTC), with a delay of a few seconds.' },
);

/** `GET /api/v1/drops`: dropped events by hour and reason. */
export function addDropRoute(server: Server, { keys, drops, sites, limitReads }: ReadDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/drops',
    onRequest: [requireKey(keys, 'stats:read'), ...limitReads],
    schema: {
      operationId: 'findDrops',
      summary: 'List dropped events by hour and reason',
      tags: ['queries'],
      security: [{ key: ['stats:read'] }],
      querystring: Type.Object({
        days: Type.Optional(
          Type.String({ description: `The last 1 to ${DAYS_MAX} days; 7 by default.` }),
        ),
        from: Type.Optional(
          Type.String({
            description:
              'The first day or instant, as in a query’s `date_range`, instead of `days`. Days are in the site’s time zone.',
          }),
        ),
        to: Type.Optional(
          Type.String({ description: 'With `from`: the last day, or the instant to stop before.' }),
        ),
        reason: Type.Optional(Type.String({ description: 'Only events dropped for this reason.' })),
      }),
      response: { 200: Answer, ...readErrors() },
    },
    async handler(request) {
      const { siteId } = keyOf(request);
      const asked = readQuery(readParams(request, sites, NAMES), {
        now: Date.now(),
        timeZone: sites.findSite(siteId)?.timezone ?? 'UTC',
      });
      const found = await drops.findDrops(siteId, asked);
      const isWanted = ({ reason }: { readonly reason: string }) =>
        asked.reason === undefined || reason === asked.reason;
      return {
        results: found.counts.filter(isWanted).map(toAnswer),
        samples: found.samples.filter(isWanted).map(toAnswer),
      };
    },
  });
}

/** Formats a count or a sample, without the site's id. */
function toAnswer<Found extends { readonly siteId: string; readonly hourAt: number }>({
  siteId: _,
  hourAt,
  ...found
}: Found) {
  return { hour: new Date(hourAt).toISOString(), ...found };
}

type Asked = { readonly [Name in (typeof NAMES)[number]]?: string | undefined };
type Calendar = Parameters<typeof parsePeriod>[1];
type Hours = { readonly from: number; readonly to: number };

/** Reads the range, extended to whole hours, and the reason. */
function readQuery(asked: Asked, calendar: Calendar): Hours & Pick<Asked, 'reason'> {
  const { days, reason } = asked;
  const faults: Fault[] = [];
  if (reason !== undefined && !DROP_REASONS.some((known) => known === reason)) {
    faults.push({ path: '/reason', message: `must be one of ${DROP_REASONS.join(', ')}` });
  }
  const ends = readEnds(asked, 'days', faults);
  const hours = ends ? toHours(ends, calendar, faults) : readDays(days, calendar, faults);
  if (faults.length > 0) throw refuseFaults(faults);
  return { ...hours, reason };
}

function toHours(ends: [string, string], calendar: Calendar, faults: Fault[]): Hours {
  const period = parsePeriod(ends, calendar);
  if (period.ok) {
    const { startsAt, endsAt } = period.value;
    return { from: Math.floor(startsAt / HOUR_MS) * HOUR_MS, to: endsAt };
  }
  faults.push({ path: '/from', message: period.error });
  return { from: 0, to: 0 };
}

function readDays(text = '7', { now }: Calendar, faults: Fault[]): Hours {
  const days = readWhole('days', text, DAYS_MAX, faults) ?? 0;
  return { from: now - days * DAY_MS, to: now + DAY_MS };
}
