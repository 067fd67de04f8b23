import { randomUUID } from 'node:crypto';
import type { Agent, AgentOptions } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type BaseQueryParams,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import type { FileFormat } from '#contract/query.ts';
import { RefusedQueryError, type RefusedQueryReason } from '#domain/refused-query.ts';
import { INSERTED_COLUMNS } from '../tables/events.ts';
import { EMBEDDED_DATABASE } from './embedded-database.ts';
import { REPORT_QUERY_PREFIX } from './engine-lanes.ts';
import { shareEngineMemory } from './engine-memory.ts';
import { askWithin, type QueryLimits } from './query-limits.ts';
import { isRefusal, RefusedLinesError } from './refused-lines.ts';
import { isAboutFiles, isTransient, WarehouseUnavailableError } from './warehouse-unavailable.ts';

/** The address of the warehouse: the embedded engine's socket, or a ClickHouse server. */
export type WarehouseAddress = (
  | { readonly kind: 'embedded'; readonly socketPath: string }
  | { readonly kind: 'remote'; readonly url: string }
) & {
  /** Memory limit of the engine, of which queries get a share. Default: the maximum for queries. */
  readonly engineMemoryBytes?: number;
  /** How long a query without a limit of its own may take. */
  readonly queryMaxMs?: number;
};

/** An SQL statement with its parameters. */
export type Statement = {
  readonly sql: string;
  /** Values for the `{name:Type}` placeholders. */
  readonly params?: Readonly<Record<string, unknown>>;
};

/** The client interface to ClickHouse, embedded or remote. */
export interface Warehouse {
  /**
   * Runs a query within limits and returns its rows. Throws {@link WarehouseUnavailableError}, and
   * {@link RefusedQueryError} if the query exceeds a limit.
   */
  select<Row>(query: Statement, limits?: QueryLimits): Promise<Row[]>;
  /** Runs a query like `select`, and returns its rows as a file. */
  selectFile(query: Statement, format: FileFormat, limits?: QueryLimits): Promise<Buffer>;
  /** Runs a statement without a result. */
  command(statement: Statement): Promise<void>;
  /**
   * Inserts lines into a table; a repeated token inserts nothing. Lines of `events` have the form of event-lines.ts;
   * all others are newline-delimited JSON objects. Throws {@link RefusedLinesError} if the lines cannot be read.
   */
  insertLines(table: string, lines: Buffer, token?: string): Promise<void>;
  /** Resolves if the engine answers. Otherwise throws {@link WarehouseUnavailableError}. */
  ping(): Promise<void>;
  /** Aborts all requests in flight. */
  close(): Promise<void>;
}

/** Creates a client of the warehouse. It connects with the first request. */
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
    log: { level: 127 }, // Off: every failure is thrown, and reported by the caller.
  });
  const ofAll = address.queryMaxMs === undefined ? {} : { durationMs: address.queryMaxMs };
  const closing = new AbortController();
  const abort_signal = closing.signal;

  /** Runs `work` with the settings for the limits. */
  function ask<Answer>(
    params: Statement['params'],
    limits: QueryLimits,
    work: (how: BaseQueryParams) => Promise<Answer>,
  ): Promise<Answer> {
    const { signal } = limits;
    const stops = signal === undefined ? abort_signal : AbortSignal.any([abort_signal, signal]);
    return askWithin({ ...ofAll, ...limits }, memory.queryBytes, (clickhouse_settings) =>
      reach(
        () =>
          work({
            ...{ abort_signal: stops, clickhouse_settings },
            ...(limits.isReport === true && { query_id: `${REPORT_QUERY_PREFIX}${randomUUID()}` }),
            ...(params !== undefined && { query_params: { ...params } }),
          }),
        (error) => isTransient(error) || isAboutFiles(error),
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
      const query_params = { ...params };
      await reach(() => client.command({ query: sql, abort_signal, query_params }));
    },
    async insertLines(table, lines, token) {
      await insert(async () => {
        const answer = await client.exec({
          query: insertInto(table),
          values: Readable.from([lines], { objectMode: false }),
          abort_signal,
          clickhouse_settings: insertSettings(token),
        });
        for await (const _ of answer.stream); // The insert ends with its response.
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
 * The memory limit of all our statements together, for a server that accounts per user. A statement that exceeds it is
 * stopped; with memory overcommit, all of them would be.
 */
function toServerLimits(bytes: number): ClickHouseSettings {
  return {
    max_memory_usage_for_user: String(bytes),
    memory_overcommit_ratio_denominator_for_user: '0',
  };
}

/** An agent for a Unix socket. It passes the path to each connection. */
function agentFor(socketPath: string): Agent {
  const options: AgentOptions & { socketPath: string } = {
    socketPath,
    keepAlive: true,
    maxSockets: 16,
  };
  const { Agent } = process.getBuiltinModule('node:http'); // Its import would load `fetch` too: 5 MB.
  return new Agent(options);
}

function insertInto(table: string): string {
  return table === 'events'
    ? `INSERT INTO events (${INSERTED_COLUMNS.join(', ')}) FORMAT JSONCompactEachRow`
    : `INSERT INTO ${table} FORMAT JSONEachRow`;
}

/** Synchronous inserts of whole batches, with a token that deduplicates retries, views included. */
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

/** Rethrows errors about the statement. Turns all others into a {@link WarehouseUnavailableError}. */
async function reach<T>(
  work: () => Promise<T>,
  isUnavailable: (error: ClickHouseError) => boolean = isTransient,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClickHouseError && !isUnavailable(error)) throw toRefused(error);
    throw new WarehouseUnavailableError(error);
  }
}

/** The engine's errors for queries that exceed a limit or cannot be compiled. */
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
