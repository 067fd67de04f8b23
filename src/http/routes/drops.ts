import Type from 'typebox';
import { errorAnswers } from '#contract/error.ts';
import type { FoundDrops } from '#ledger/drop-store.ts';
import { type KeyDirectory, keyOf, requireKey } from '../authenticate.ts';
import { refuseFaults } from '../errors.ts';
import type { Server } from '../server-type.ts';

/** What the route of drops needs. */
export type DropRouteDeps = {
  readonly keys: KeyDirectory;
  readonly drops: {
    findDrops(siteId: string, hours: { readonly from: number; readonly to: number }): FoundDrops;
  };
  readonly now: () => number;
};

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
        host: Type.String(),
        path: Type.String({ description: 'Steps that may name somebody are `*`.' }),
      }),
      { description: 'The latest, at most 20 of each reason.' },
    ),
  },
  { description: 'By hour in UTC; up to some seconds late.' },
);

/** `GET /api/v1/drops`: events that were not recorded, by hour and reason. */
export function addDropRoute(server: Server, { keys, drops, now }: DropRouteDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/drops',
    onRequest: [requireKey(keys, 'stats:read')],
    schema: {
      operationId: 'findDrops',
      summary: 'Events that were not recorded, by hour and reason',
      tags: ['questions'],
      security: [{ key: ['stats:read'] }],
      querystring: Type.Object({
        days: Type.Optional(
          Type.String({ description: `How many days back: 1 to ${DAYS_MAX}; 7 by default.` }),
        ),
      }),
      response: {
        200: Answer,
        ...errorAnswers('invalid_request', 'unauthorized', 'forbidden', 'internal', 'unavailable'),
      },
    },
    handler(request) {
      const days = readDays(request.query.days);
      const at = now();
      const hours = { from: at - days * DAY_MS, to: at + DAY_MS };
      const found = drops.findDrops(keyOf(request).siteId, hours);
      const toHour = (hourAt: number) => new Date(hourAt).toISOString();
      return {
        results: found.counts.map(({ hourAt, reason, count }) => ({
          hour: toHour(hourAt),
          reason,
          count,
        })),
        samples: found.samples.map(({ hourAt, reason, type, host, path }) => ({
          ...{ hour: toHour(hourAt), reason, type, host, path },
        })),
      };
    },
  });
}

function readDays(text: unknown = '7'): number {
  const days = typeof text === 'string' && /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= DAYS_MAX) return days;
  throw refuseFaults([{ path: '/days', message: `must be a whole number from 1 to ${DAYS_MAX}` }]);
}
