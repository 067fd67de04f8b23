import type { Session } from 'chdb';

/** Kinds of statements. A statement waits only for others in its lane. */
export type LaneName = 'writes' | 'lookups' | 'queries';

/** The sessions of each lane. Statements of one session run sequentially. */
export type EngineSessions = Readonly<Record<LaneName, readonly Session[]>>;

/** Prefix of the `query_id` of report queries. */
export const REPORT_QUERY_PREFIX = 'query-';

interface EngineLanes {
  /** Number of waiting statements in all lanes. */
  readonly waiting: number;
  /** Runs `work` with exclusive use of a session, and returns its result. */
  run<T>(lane: LaneName, work: (session: Session) => Promise<T>): Promise<T>;
}

/**
 * Creates lanes over the sessions of one engine.
 *
 * Why: statements of one session run sequentially. Without lanes, an insert or a visitor lookup would wait for long
 * queries.
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

/** The lane of a statement, by its text and its `query_id`. */
export function laneOf(sql: string, queryId: string | null): LaneName {
  if (queryId?.startsWith(REPORT_QUERY_PREFIX)) return 'queries';
  return isQuery(sql) ? 'lookups' : 'writes';
}

/** Whether a statement is read-only. Includes CHECK, which may take as long as a query. */
export function isQuery(sql: string): boolean {
  return /^\s*(SELECT|WITH|CHECK)\b/i.test(sql);
}
