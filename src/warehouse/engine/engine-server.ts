import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'chdb';
import {
  createEngineLanes,
  type EngineSessions,
  isQuery,
  type LaneName,
  laneOf,
  REPORT_QUERY_PREFIX,
} from '../client/engine-lanes.ts';
import type { AskEngine } from './check-new-parts.ts';
import { HEARTBEAT_PATH } from './heartbeat-path.ts';
import { withLinesFile } from './lines-file.ts';
import { quoteText, setParams } from './set-params.ts';
import { watchStatements } from './watch-statements.ts';

/** Maximum number of waiting statements; more are refused. */
const WAITING_MAX = 256;
/** Parameters come in the URL, and a query may have thousands. */
const HEADERS_MAX_BYTES = 4 * 1024 * 1024;
const BODY_MAX_BYTES = 256 * 1024 * 1024;
/** The engine checks a few times a second whether a statement was killed. */
const STOP_AGAIN_MS = 500;

/** HTTP parameters that this server interprets. All others are engine settings. */
const OWN_PARAMETERS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id']);

/**
 * Creates an HTTP server on top of the embedded engine. It implements the part of ClickHouse's HTTP protocol that
 * `@clickhouse/client` uses: ping, statements with parameters and settings, inserts of newline-delimited JSON, and
 * errors in the engine's format.
 *
 * - Shape: `pulse` is a separate session of the same engine for heartbeats, so that an engine with a long query still
 *   answers them.
 */
export function createEngineServer(
  sessions: EngineSessions,
  pulse: Session,
  { folder, onInsertFailed = async () => {}, onStall = () => {} }: EngineServerOptions,
): EngineServer {
  const running = new Set<Promise<void>>();
  const lanes = createEngineLanes(sessions);
  const stallWatch = watchStatements(onStall);

  const { createServer } = process.getBuiltinModule('node:http'); // Its import would load `fetch` too: 5 MB.
  const server = createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://engine');
    if (url.pathname === '/ping') {
      response.end('Ok.\n');
      return;
    }
    if (lanes.waiting >= WAITING_MAX && url.pathname !== HEARTBEAT_PATH) {
      sendError(response, TOO_MANY);
      return;
    }
    const answered =
      url.pathname === HEARTBEAT_PATH ? beat(response) : answer(url, request, response);
    const done = answered.finally(() => running.delete(done));
    running.add(done);
  });

  async function beat(response: ServerResponse) {
    try {
      await pulse.queryAsync('SELECT 1', { format: 'Null' }); // Null needs no output thread.
      response.end();
    } catch (error) {
      sendError(response, String(error));
    }
  }

  /** Kills the query of a disconnected client. Repeats, because a long statement is invisible until it is parsed. */
  async function stopQuery(search: URLSearchParams, isOver: () => boolean) {
    const name = queryNameOf(search);
    while (name !== undefined && !isOver()) {
      const kill = `KILL QUERY WHERE Settings['log_comment'] = ${quoteText(name)} ASYNC`;
      await pulse.queryAsync(kill, { format: 'Null' }).catch(() => {});
      await sleep(STOP_AGAIN_MS);
    }
  }

  async function answer({ searchParams }: URL, request: IncomingMessage, response: ServerResponse) {
    const insert = INSERT.exec(searchParams.get('query') ?? '');
    const runIn = (lane: LaneName, sql: string) =>
      lanes.run(lane, async (session) => {
        if (response.destroyed) return;
        const ended = stallWatch.begin(searchParams);
        const stop = () => void stopQuery(searchParams, () => isOver);
        let isOver = false;
        response.once('close', stop);
        try {
          await run(session, sql, response);
        } catch (error) {
          if (insert !== null) await onInsertFailed(askIn(session));
          throw error;
        } finally {
          isOver = true;
          response.off('close', stop);
          ended();
        }
      });
    try {
      if (insert === null) {
        const body = await readBody(request);
        const statement = searchParams.get('query') || body.toString('utf8', 0, 64);
        const lane = laneOf(statement, searchParams.get('query_id'));
        await runIn(lane, toStatement(searchParams, body));
      } else {
        await withLinesFile({ folder }, request, (path) =>
          runIn('writes', toInsert(insert, path, searchParams)),
        );
      }
    } catch (error) {
      sendError(response, error instanceof Error ? error.message : String(error));
    }
  }

  return {
    http: server,
    ask(sql) {
      const asked = lanes.run('lookups', async (session) => {
        const ended = stallWatch.begin(new URLSearchParams());
        try {
          return await askIn(session)(sql);
        } finally {
          ended();
        }
      });
      const done = Promise.allSettled([asked]).then(() => void running.delete(done));
      running.add(done);
      return asked;
    },
    async drain() {
      stallWatch.stop();
      server.close();
      server.closeIdleConnections();
      await Promise.allSettled(running);
      server.closeAllConnections();
    },
  };
}

/** The HTTP server of the embedded engine. */
export interface EngineServer {
  readonly http: Server;
  /** Runs SQL in the engine and returns lines of tab-separated values. */
  readonly ask: AskEngine;
  /** Refuses new connections, and resolves when every statement in flight has ended. */
  drain(): Promise<void>;
}

type EngineServerOptions = {
  readonly folder: string;
  /** Called when an insert has failed. The engine may have its token without its rows. No other insert runs. */
  readonly onInsertFailed?: (ask: AskEngine) => Promise<void>;
  /** Called when a statement hangs. */
  readonly onStall?: () => void;
};

const INSERT = /^\s*INSERT INTO ([\w.]+(?: \([\w, ]+\))?) FORMAT (JSON\w+)\s*$/i;

const TOO_MANY =
  'Code: 202. DB::Exception: Too many simultaneous queries. (TOO_MANY_SIMULTANEOUS_QUERIES)';

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += chunk.length;
    if (sizeBytes > BODY_MAX_BYTES)
      throw new Error('Code: 307. DB::Exception: Body too large. (TOO_MANY_BYTES)');
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function askIn(session: Session): AskEngine {
  return async (sql) => (await session.queryAsync(sql, { format: 'TabSeparated' })).text();
}

async function run(engine: Session, sql: string, response: ServerResponse) {
  const result = await engine.queryAsync(sql, { format: 'TabSeparated' }).catch(async (error) => {
    // A failed statement and its memory are released only by the session's next statement. This one does that.
    await engine.queryAsync('SYSTEM JEMALLOC PURGE').catch(() => {});
    throw error;
  });
  response.setHeader(
    'x-clickhouse-summary',
    JSON.stringify({ read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) }),
  );
  response.end(result.bytes());
}

/** The text of a statement, which may be in the URL, in the body, or in both. */
function toStatement(search: URLSearchParams, body: Buffer): string {
  const sql = [search.get('query') ?? '', body.toString()].filter((part) => part !== '').join('\n');
  return setParams(search) + (isQuery(sql) ? `${sql}\n${settingsClause(search)}` : sql);
}

/** An insert, whose statement comes in the URL. Its lines came in the body and are now in a file. */
function toInsert(
  [, into, format]: RegExpExecArray,
  path: string,
  search: URLSearchParams,
): string {
  return `INSERT INTO ${into} FROM INFILE ${quoteText(path)} ${settingsClause(search)} FORMAT ${format}`;
}

function settingsOf(search: URLSearchParams): [string, string][] {
  const name = queryNameOf(search);
  const settings = [...search].filter(
    ([name]) =>
      !OWN_PARAMETERS.has(name) && !name.startsWith('param_') && /^[a-z0-9_]+$/.test(name),
  );
  return name === undefined ? settings : [...settings, ['log_comment', name]];
}

/** The name that identifies a running report query. The embedded engine does not accept query ids. */
function queryNameOf(search: URLSearchParams): string | undefined {
  const id = search.get('query_id');
  return id?.startsWith(REPORT_QUERY_PREFIX) ? id : undefined;
}

function settingsClause(search: URLSearchParams): string {
  const settings = settingsOf(search).map(([name, value]) => `${name} = ${toLiteral(value)}`);
  return settings.length === 0 ? '' : `SETTINGS ${settings.join(', ')}`;
}

function toLiteral(value: string): string {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? value : quoteText(value);
}

function sendError(response: ServerResponse, message: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const code = /Code: (\d+)/.exec(message)?.[1] ?? '1001';
  response.writeHead(500, { 'x-clickhouse-exception-code': code });
  response.end(
    message.startsWith('Code:')
      ? message
      : `Code: ${code}. DB::Exception: ${message} (STD_EXCEPTION)`,
  );
}
