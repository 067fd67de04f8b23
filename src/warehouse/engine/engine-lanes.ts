import type { Session } from 'chdb';

/** What statements are for: they wait for others of their kind only. */
export type LaneName = 'writes' | 'lookups' | 'queries';

/** The sessions of each lane; statements of one session run one after the other. */
export type EngineSessions = Readonly<Record<LaneName, readonly Session[]>>;

/** What a query of a report is called: its `query_id` begins so. */
export const REPORT_QUERY_PREFIX = 'query-';

/** Statements waiting for a session of their lane. */
export interface EngineLanes {
  /** How many wait, in all lanes. */
  readonly waiting: number;
  /** What `work` answers, done with a session that nothing else uses meanwhile. */
  run<T>(lane: LaneName, work: (session: Session) => Promise<T>): Promise<T>;
}

/**
 * Lanes over sessions of one engine.
 *
 * Why: statements of one session run one after the other, so that an insert, or the look-up of a visitor
 * for a goal, would wait for whatever long query came before it.
 */
export function createEngineLanes(sessions: EngineSessions): EngineLanes {
  const lanes = {
    writes: createLane(sessions.writes),
    lookups: createLane(sessions.lookups),
    queries: createLane(sessions.queries),
  };
  return {
    get waiting() {
      return Object.values(lanes).reduce((sum, lane) => sum + lane.waiting.length, 0);
    },
    async run(name, work) {
      const lane = lanes[name];
      const session =
        lane.free.pop() ?? (await new Promise<Session>((go) => lane.waiting.push(go)));
      try {
        return await work(session);
      } finally {
        const next = lane.waiting.shift();
        if (next === undefined) lane.free.push(session);
        else next(session);
      }
    },
  };
}

type Lane = { readonly free: Session[]; readonly waiting: ((session: Session) => void)[] };

function createLane(sessions: readonly Session[]): Lane {
  return { free: [...sessions], waiting: [] };
}

/** The lane of a statement, by its text and the `query_id` it came with. */
export function laneOf(sql: string, queryId: string | null): LaneName {
  if (queryId?.startsWith(REPORT_QUERY_PREFIX)) return 'queries';
  return isQuery(sql) ? 'lookups' : 'writes';
}

/** Whether a statement changes nothing; a check of files may take as long as any query. */
export function isQuery(sql: string): boolean {
  return /^\s*(SELECT|WITH|CHECK)\b/i.test(sql);
}
