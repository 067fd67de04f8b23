import type { FastifyRequest } from 'fastify';
import { readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import {
  LIVE_ROWS,
  LiveAnswer,
  LiveMessage,
  LiveParams,
  StreamHeaders,
  StreamParams,
} from '#contract/live.ts';
import { type LivePosition, parsePosition } from '#report/live/live-cursor.ts';
import type { LiveWatch } from '#report/live/watch-live.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import { beginEventStream } from '#server/connections/event-stream.ts';
import { refuseFaults, refuseForNow } from '#server/errors/errors.ts';
import { isAllowed, keyOf, requireKey } from '#server/requests/authenticate.ts';
import { readParams, readWhole } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import type { ReadAccess } from '../key-route.ts';
import { addKeyRoute } from '../key-route.ts';
import { accepted, siteOf } from './report-route.ts';

const RETRY_AFTER_MS = 5_000;

type CountDeps = ReadAccess & Pick<Reports, 'countLive'>;
type StreamDeps = ReadAccess & { readonly liveWatch: LiveWatch };

/** `GET /api/v1/live`, and `GET /api/v1/live/stream`. */
export function addLiveRoutes(server: Server, deps: CountDeps & StreamDeps): void {
  addNow(server, deps);
  addStream(server, deps);
}

function addNow(server: Server, deps: CountDeps): void {
  addKeyRoute(server, deps.keys, 'GET /api/v1/live', 'stats:read', {
    operation: ['live', 'Get the visitors on the site now'],
    description:
      'Visitors of the last 5 and 30 minutes, without bots. The data is at most a second old.',
    tags: ['queries'],
    querystring: LiveParams,
    answer: LiveAnswer,
    limits: deps.limitReads,
    async handle({ request, siteId }) {
      const site = siteOf(deps, siteId);
      const { limit } = readParams(request, deps.sites, ['limit']);
      const faults: Fault[] = [];
      const rows = readWhole('limit', limit, LIVE_ROWS.max, faults) ?? LIVE_ROWS.byDefault;
      if (faults.length > 0) throw refuseFaults(faults);
      return accepted(await deps.countLive(site, rows));
    },
  });
}

function addStream(server: Server, deps: StreamDeps): void {
  const { keys, limitReads, liveWatch } = deps;
  server.addHook('preClose', (done) => {
    liveWatch.close();
    done();
  });
  server.route({
    method: 'GET',
    url: '/api/v1/live/stream',
    exposeHeadRoute: false,
    onRequest: [requireKey(keys, 'stats:read'), ...limitReads],
    schema: {
      operationId: 'liveStream',
      summary: 'Stream events as they are accepted',
      description:
        'Server-sent events without bots: `event` and `payment` within two seconds of acceptance, `status` at the start and on changes. With `Last-Event-ID`, the stream first sends missed events of the last five minutes.',
      tags: ['queries'],
      security: [{ key: ['stats:read'] }],
      headers: StreamHeaders,
      querystring: StreamParams,
      response: {
        200: {
          description: 'A stream that continues until the client disconnects.',
          content: {
            'text/event-stream': { schema: LiveMessage },
          },
        },
        ...readErrors(),
      },
    },
    handler(request, reply) {
      const { siteId, userId } = keyOf(request);
      siteOf(deps, siteId);
      readParams(request, deps.sites, []);
      const after = readPosition(request);
      if (!liveWatch.hasRoom({ siteId, userId })) {
        throw refuseForNow('Too many streams are open. Close one of them.', RETRY_AFTER_MS);
      }
      let stop = () => {};
      const stream = beginEventStream(reply, {
        isWelcome: () => isAllowed(keys, request, 'stats:read'),
        onClose: () => stop(),
      });
      stop = liveWatch.listen({ siteId, userId }, stream, after);
    },
  });
}

function readPosition({ headers }: FastifyRequest): LivePosition | undefined {
  const text = headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  const position = typeof text === 'string' ? parsePosition(text) : undefined;
  if (position !== undefined) return position;
  const message = 'must be the id of a message of this stream, such as 1763700000000';
  throw refuseFaults([{ path: '/last-event-id', message }]);
}
