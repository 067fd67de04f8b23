import { randomUUID } from 'node:crypto';
import { Agent, type AgentOptions } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type BaseQueryParams,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { RefusedQueryError, type RefusedQueryReason } from '#domain/refused-query.ts';
import { REPORT_QUERY_PREFIX } from './engine/engine-lanes.ts';
import { shareEngineMemory } from './engine-memory.ts';
import { askWithin, type QueryLimits } from './query-limits.ts';
import { isRefusal, RefusedLinesError } from './refused-lines.ts';
import { INSERTED_COLUMNS } from './tables/events.ts';
import { isAboutFiles, isPassing, WarehouseUnavailableError } from './warehouse-unavailable.ts';

/** The database inside the embedded engine. A remote one is named in `CLICKHOUSE_URL`. */
export const EMBEDDED_DATABASE = 'tributary';

/** Where the warehouse answers: the embedded engine's socket, or a ClickHouse server. */
export type WarehouseAddress = (
  | { readonly kind: 'embedded'; readonly socketPath: string }
  | { readonly kind: 'remote'; readonly url: string }
) & {
  /** What the engine may take in all, of which queries have a share; their most when left out. */
  readonly engineMemoryBytes?: number;
};

/** One statement of SQL with the values of its bound places. */
export type Statement = {
  readonly sql: string;
  /** Values for the `{name:Type}` places of the statement. */
  readonly params?: Readonly<Record<string, unknown>>;
};

/** What the rest of the code may ask of ClickHouse, embedded or remote. */
export interface Warehouse {
  /**
   * Rows of a query, under the limits. Throws {@link WarehouseUnavailableError}, and
   * {@link RefusedQueryError} when it costs more than it may.
   */
  select<Row>(query: Statement, limits?: QueryLimits): Promise<Row[]>;
  /** The rows of a query as a file, likewise. */
  selectFile(query: Statement, format: FileFormat, limits?: QueryLimits): Promise<Buffer>;
  /** Runs a statement that answers nothing. */
  command(statement: Statement): Promise<void>;
  /**
   * Copies lines into a table; the same token inserts once. Lines of `events` are as event-lines.ts
   * writes them, all others newline-delimited JSON with names.
   * Throws {@link RefusedLinesError} when it cannot read them.
   */
  insertLines(table: string, lines: Buffer, token?: string): Promise<void>;
  /** Resolves when the engine answers; throws {@link WarehouseUnavailableError} when not. */
  ping(): Promise<void>;
  /** Breaks off whatever is under way. */
  close(): Promise<void>;
}

/** Files that the engine writes itself, as it names them. */
export type FileFormat = 'Parquet' | 'Arrow' | 'ArrowStream';

/** A client of the warehouse. Opens no connection until it is asked something. */
export function createWarehouse(address: WarehouseAddress): Warehouse {
  const memory = shareEngineMemory(address.engineMemoryBytes ?? Number.POSITIVE_INFINITY);
  const client = createClient({
    ...(address.kind === 'remote'
      ? { url: address.url, clickhouse_settings: toServerLimits(memory.queriesBytes) }
      : {
          url: 'http://localhost',
          database: EMBEDDED_DATABASE,
          http_agent: agentFor(address.socketPath),
        }),
    application: 'tributary',
    request_timeout: 60_000,
    log: { level: 127 }, // Off: every failure is thrown to a caller who reports it.
  });
  const closing = new AbortController();
  const abort_signal = closing.signal;

  /** Runs `work` within the limits, with the settings that hold them. */
  function ask<Answer>(
    params: Statement['params'],
    limits: QueryLimits,
    work: (how: BaseQueryParams) => Promise<Answer>,
  ): Promise<Answer> {
    const { signal } = limits;
    const stops = signal === undefined ? abort_signal : AbortSignal.any([abort_signal, signal]);
    return askWithin(limits, memory.queryBytes, (clickhouse_settings) =>
      reach(
        () =>
          work({
            ...{ abort_signal: stops, clickhouse_settings },
            ...(limits.isReport === true && { query_id: `${REPORT_QUERY_PREFIX}${randomUUID()}` }),
            ...(params !== undefined && { query_params: { ...params } }),
          }),
        (error) => isPassing(error) || isAboutFiles(error),
      ),
    );
  }

  return {
    async select<Row>({ sql, params }: Statement, limits: QueryLimits = {}) {
      return ask(params, limits, async (how) => {
        const answer = await client.query({ query: sql, format: 'JSONEachRow', ...how });
        return answer.json<Row>();
      });
    },
    async selectFile({ sql, params }, format, limits = {}) {
      return ask(params, limits, async (how) => {
        const { stream } = await client.exec({ query: `${sql}\nFORMAT ${format}`, ...how });
        return buffer(stream);
      });
    },
    async command({ sql, params }) {
      await reach(() =>
        client.command({
          query: sql,
          abort_signal,
          ...(params === undefined ? {} : { query_params: { ...params } }),
        }),
      );
    },
    async insertLines(table, lines, token) {
      await insert(async () => {
        const answer = await client.exec({
          query: insertInto(table),
          values: Readable.from([lines], { objectMode: false }),
          abort_signal,
          clickhouse_settings: insertSettings(token),
        });
        for await (const _ of answer.stream); // The insert has ended when its answer has.
      });
    },
    async ping() {
      await reach(() => client.command({ query: 'SELECT 1', abort_signal }));
    },
    async close() {
      closing.abort();
      await client.close();
    },
  };
}

/**
 * What all our statements may hold together, on a server that counts it for its user. The one that asks for more ends; by
 * overcommit, all of them would.
 */
function toServerLimits(bytes: number): ClickHouseSettings {
  return {
    max_memory_usage_for_user: String(bytes),
    memory_overcommit_ratio_denominator_for_user: '0',
  };
}

/** Connections to a Unix socket; the agent hands the path on to each connection it makes. */
function agentFor(socketPath: string): Agent {
  const options: AgentOptions & { socketPath: string } = {
    socketPath,
    keepAlive: true,
    maxSockets: 16,
  };
  return new Agent(options);
}

function insertInto(table: string): string {
  return table === 'events'
    ? `INSERT INTO events (${INSERTED_COLUMNS.join(', ')}) FORMAT JSONCompactEachRow`
    : `INSERT INTO ${table} FORMAT JSONEachRow`;
}

/** Whole batches at once, and a token that lets a retry insert nothing twice, views included. */
function insertSettings(token: string | undefined): ClickHouseSettings {
  return {
    async_insert: 0,
    input_format_parallel_parsing: 0,
    input_format_json_compact_allow_variable_number_of_columns: 1,
    max_partitions_per_insert_block: '0', // An import may span more months than the default allows.
    ...(token === undefined
      ? {}
      : {
          insert_deduplication_token: token,
          deduplicate_blocks_in_dependent_materialized_views: 1,
        }),
  };
}

async function insert(work: () => Promise<void>): Promise<void> {
  try {
    await reach(work);
  } catch (error) {
    if (error instanceof ClickHouseError && isRefusal(error.type)) {
      throw new RefusedLinesError(error);
    }
    throw error;
  }
}

/** The engine's complaints pass as they are; whatever kept us from an answer is one error. */
async function reach<T>(
  work: () => Promise<T>,
  isTrouble: (error: ClickHouseError) => boolean = isPassing,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClickHouseError && !isTrouble(error)) throw toRefused(error);
    throw new WarehouseUnavailableError(error);
  }
}

/** What the engine says of a query that costs more than it may, or cannot be read. */
const REFUSED_QUERIES: Readonly<Record<string, RefusedQueryReason>> = {
  TIMEOUT_EXCEEDED: 'duration',
  TOO_SLOW: 'duration',
  TOO_MANY_ROWS: 'rows',
  TOO_MANY_ROWS_OR_BYTES: 'rows',
  SET_SIZE_LIMIT_EXCEEDED: 'memory',
  MEMORY_LIMIT_EXCEEDED: 'memory',
  TOO_BIG_AST: 'size',
  TOO_DEEP_AST: 'size',
  CANNOT_COMPILE_REGEXP: 'regular_expression',
};

function toRefused(error: ClickHouseError): Error {
  const reason = REFUSED_QUERIES[error.type ?? ''];
  return reason === undefined ? error : new RefusedQueryError(reason, error);
}
