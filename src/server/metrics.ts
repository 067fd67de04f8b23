import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type JobFigures, listJobs } from '#jobs/job-figures.ts';
import { type ProxyWatch, watchProxies } from './connections/proxy-watch.ts';

/** The Prometheus registry of the web process, its counter of dropped events, and what it notices of proxies. */
export type Metrics = {
  readonly registry: Registry;
  readonly drops: { countDrop(site: string, reason: string): void };
  readonly proxies: ProxyWatch;
};

interface JournalFigures {
  backlogBytes(): number;
  setAsideBatches(): number;
  /** The figures of its thread's jobs. */
  listJobs(): Promise<readonly JobFigures[]>;
}

type LedgerFigures = Pick<JournalFigures, 'listJobs'> & {
  countRefusedJoins(): Promise<number>;
  countConverting(): { readonly converted: number; readonly payments: number };
};

/** The default of 10 ms would wake an idle process a hundred times a second. */
const LAG_RESOLUTION_MS = 250;

/** Creates the metrics of this process and its stores. */
export function createMetrics(
  journal: JournalFigures,
  ledger: LedgerFigures,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS });
  const dropped = new Counter({
    name: 'tributary_events_dropped_total',
    help: 'Events that were not recorded, by site and reason.',
    labelNames: ['site', 'reason'],
    registers: [registry],
  });
  const addGauge = (name: string, help: string, read: () => number | Promise<number>) => {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers: [registry] },
      collect: async () => gauge.set(await read()),
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
    'Joins refused because the person would have had too many visitors. Many visitors may share an id.',
    () => ledger.countRefusedJoins(),
  );
  addGauge(
    'tributary_payments_to_convert',
    'Payments to convert again, for another currency or later rates; 0 when all are.',
    () => ledger.countConverting().payments,
  );
  addGauge('tributary_payments_converted', 'How many of them are converted so far.', () => {
    return ledger.countConverting().converted;
  });
  const listOthers = () => Promise.all([journal.listJobs(), ledger.listJobs()]);
  addJobs(registry, async () => [...listJobs(), ...(await listOthers()).flat()]);
  return {
    registry,
    proxies: watchProxies(log),
    drops: { countDrop: (site, reason) => dropped.inc({ site, reason }) },
  };
}

type JobFigure = readonly [name: string, help: string, read: (job: JobFigures) => number];

const JOB_COUNTERS: readonly JobFigure[] = [
  ['tributary_job_runs_total', 'Runs of a background job.', ({ runs }) => runs],
  ['tributary_job_failures_total', 'Failed runs of a job.', ({ failures }) => failures],
  ['tributary_job_seconds_total', 'Time of all runs of a job.', ({ tookMs }) => tookMs / 1_000],
];
const JOB_GAUGE: JobFigure = [
  'tributary_job_last_success_timestamp_seconds',
  'When a run of a job last succeeded.',
  ({ succeededAt }) => succeededAt / 1_000,
];

function addJobs(registry: Registry, list: () => Promise<readonly JobFigures[]>): void {
  const toOptions = ([name, help, read]: JobFigure) => ({
    ...{ name, help, labelNames: ['job'], registers: [registry] },
    async collect(this: Counter | Gauge) {
      const jobs = await list();
      this.reset();
      for (const job of jobs) this.inc({ job: job.name }, read(job));
    },
  });
  for (const figure of JOB_COUNTERS) new Counter(toOptions(figure));
  new Gauge(toOptions(JOB_GAUGE));
}

/** Counts a response of a route by status. */
export type CountAnswer = (route: string, code: number) => void;

/**
 * Counts the responses of every route by status. Returns a function to count responses that bypass the
 * framework.
 *
 * - Why plain numbers, copied when scraped: looking up a labelled counter costs more than counting.
 * - Why when they are sent: counting at their end would need a listener on each response.
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
    help: 'Responses by route and HTTP status.',
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
