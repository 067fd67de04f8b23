import type { Fault } from '#contract/fault.ts';
import { DROP_DAYS_MAX, DropsAnswer, DropsParams } from '#contract/reports/drops.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { parsePeriod } from '#domain/time/parse-period.ts';
import { DROP_REASONS, type FindDrops } from '#domain/visit/dropped-events.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { readEnds, readParams, readWhole } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import type { ReadAccess } from '../key-route.ts';
import { addKeyRoute } from '../key-route.ts';

const NAMES = ['days', 'from', 'to', 'reason'] as const;

/** `GET /api/v1/drops`: dropped events by hour and reason. */
export function addDropRoute(
  server: Server,
  {
    keys,
    drops,
    sites,
    limitReads,
  }: ReadAccess & { readonly drops: { readonly findDrops: FindDrops } },
): void {
  addKeyRoute(server, keys, 'GET /api/v1/drops', 'stats:read', {
    operation: ['findDrops', 'List dropped events by hour and reason'],
    tags: ['queries'],
    querystring: DropsParams,
    answer: DropsAnswer,
    limits: limitReads,
    async handle({ request, siteId }) {
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

type Asked = { readonly [Name in keyof DropsParams]?: string | undefined };
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
  const days = readWhole('days', text, DROP_DAYS_MAX, faults) ?? 0;
  return { from: now - days * DAY_MS, to: now + DAY_MS };
}
