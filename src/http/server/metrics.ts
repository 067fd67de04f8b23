import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { DropCounter } from '#ingest/accept-events.ts';
import type { Ledger } from '#ledger/open-ledger.ts';

/** The figures of one web process, and what counts into them. */
export type Metrics = { readonly registry: Registry; readonly drops: DropCounter };

/** What the journal says of itself when somebody reads the figures. */
export interface JournalFigures {
  backlogBytes(): number;
  setAsideBatches(): number;
}

/** The usual 10 ms wake an idle process a hundred times a second. */
const LAG_LOOKED_AT_EVERY_MS = 250;

/** Figures of this process, from now on, and of its stores. */
export function createMetrics(
  journal: JournalFigures,
  ledger: Pick<Ledger, 'countRefusedJoins'>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: LAG_LOOKED_AT_EVERY_MS,
  });
  const dropped = new Counter({
    name: 'tributary_events_dropped_total',
    help: 'Events that were not recorded, by site and reason.',
    labelNames: ['site', 'reason'],
    registers: [registry],
  });
  const addGauge = (name: string, help: string, read: () => number) => {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers: [registry] },
      collect: () => gauge.set(read()),
    });
  };
  addGauge(
    'tributary_journal_backlog_bytes',
    'Accepted events that are not in the warehouse yet.',
    () => journal.backlogBytes(),
  );
  addGauge(
    'tributary_journal_set_aside_batches',
    'Batches of accepted events that are damaged, or that the warehouse cannot read.',
    () => journal.setAsideBatches(),
  );
  addGauge(
    'tributary_refused_joins',
    'Visitors that were not made one person, as it would have had too many: an id that many share?',
    () => ledger.countRefusedJoins(),
  );
  return {
    registry,
    drops: { countDrop: (site, reason) => dropped.inc({ site, reason }) },
  };
}

/** Counts an answer of a route with this status. */
export type CountAnswer = (route: string, code: number) => void;

/**
 * Counts the answers of every route by status.
 *
 * - Why plain numbers, copied when read: finding a labelled counter costs more than counting.
 * - Shape: what is answered past the framework is counted by the function that it answers.
 * - Why as they are sent: to hear of the end of each answer takes listeners on every socket.
 */
export function countAnswers(server: FastifyInstance, registry: Registry): CountAnswer {
  const countsByRoute = new Map<string, Map<number, number>>();
  const countAnswer: CountAnswer = (route, code) => {
    const counts = countsByRoute.get(route) ?? new Map<number, number>();
    if (counts.size === 0) countsByRoute.set(route, counts);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  };
  server.addHook('onSend', (request, reply, _payload, done) => {
    countAnswer(request.routeOptions.url ?? 'unknown', reply.statusCode);
    done();
  });
  const answers = new Counter({
    name: 'tributary_answers_total',
    help: 'Answers by route and HTTP status.',
    labelNames: ['route', 'code'],
    registers: [registry],
    collect() {
      answers.reset();
      for (const [route, counts] of countsByRoute) {
        for (const [code, count] of counts) answers.inc({ route, code: String(code) }, count);
      }
    },
  });
  return countAnswer;
}
