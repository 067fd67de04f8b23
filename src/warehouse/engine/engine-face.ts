import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'chdb';
import type { AskEngine } from './check-new-parts.ts';
import {
  createEngineLanes,
  type EngineSessions,
  isQuery,
  type LaneName,
  laneOf,
  REPORT_QUERY_PREFIX,
} from './engine-lanes.ts';
import { HEARTBEAT_PATH } from './heartbeat-path.ts';
import { withLinesFile } from './lines-file.ts';
import { setParams, toText } from './set-params.ts';
import { watchStatements } from './watch-statements.ts';

/** Statements that may wait for their turn; more are refused. */
const WAITING_MAX = 256;
/** Bound values come in the URL; a query may bind thousands. */
const HEADERS_MAX_BYTES = 4 * 1024 * 1024;
const BODY_MAX_BYTES = 256 * 1024 * 1024;
/** The engine looks a few times a second whether a statement is to end. */
const STOP_AGAIN_MS = 500;

/** What HTTP parameters mean something to the face itself; every other one is a setting. */
const OWN_PARAMETERS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id']);

/**
 * A server that answers the part of ClickHouse's HTTP protocol which `@clickhouse/client` speaks,
 * on top of the embedded engine: ping, statements with bound parameters and settings, inserts of
 * newline-delimited JSON, and errors in the engine's own form.
 *
 * - Shape: `pulse` is a session of its own on the same engine, for heartbeats: an engine busy with a
 *   long query is no silent one.
 */
export function createEngineFace(
  sessions: EngineSessions,
  pulse: Session,
  { folder, onInsertFailed = async () => {}, onStall = () => {} }: EngineFaceOptions,
): EngineFace {
  const running = new Set<Promise<void>>();
  const lanes = createEngineLanes(sessions);
  const stallWatch = watchStatements(onStall);

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
      await pulse.queryAsync('SELECT 1', { format: 'Null' }); // No thread for what nobody reads.
      response.end();
    } catch (error) {
      sendError(response, String(error));
    }
  }

  /** The client is gone. The engine is asked again, as a long statement is not under way until it is read. */
  async function stopQuery(search: URLSearchParams, isOver: () => boolean) {
    const name = queryNameOf(search);
    while (name !== undefined && !isOver()) {
      const kill = `KILL QUERY WHERE Settings['log_comment'] = ${toText(name)} ASYNC`;
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
    server,
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

/** The face with the server it answers on. */
export interface EngineFace {
  readonly server: Server;
  /** Asks the engine something of one's own; the values of a line have tabs between. */
  readonly ask: AskEngine;
  /** Resolves when every statement under way has ended; new connections are refused. */
  drain(): Promise<void>;
}

/** Where it may put what is being inserted, and what its owner may want to hear of the engine. */
export type EngineFaceOptions = {
  readonly folder: string;
  /** An insert has failed, so that the engine may know its token without its rows. No other one runs. */
  readonly onInsertFailed?: (ask: AskEngine) => Promise<void>;
  /** No statement has ended for longer than those under way may take. */
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
    // What failed, and its memory, is released by the next statement of its session only; this one gives it back.
    await engine.queryAsync('SYSTEM JEMALLOC PURGE').catch(() => {});
    throw error;
  });
  response.setHeader(
    'x-clickhouse-summary',
    JSON.stringify({ read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) }),
  );
  response.end(result.bytes());
}

/** The text of a statement stands in the URL, in the body, or in both. */
function toStatement(search: URLSearchParams, body: Buffer): string {
  const sql = [search.get('query') ?? '', body.toString()].filter((part) => part !== '').join('\n');
  return setParams(search) + (isQuery(sql) ? `${sql}\n${settingsClause(search)}` : sql);
}

/** An insert stands in the URL, and its lines, which came as body, in a file. */
function toInsert(
  [, into, format]: RegExpExecArray,
  path: string,
  search: URLSearchParams,
): string {
  return `INSERT INTO ${into} FROM INFILE ${toText(path)} ${settingsClause(search)} FORMAT ${format}`;
}

function settingsOf(search: URLSearchParams): [string, string][] {
  const name = queryNameOf(search);
  const settings = [...search].filter(
    ([name]) =>
      !OWN_PARAMETERS.has(name) && !name.startsWith('param_') && /^[a-z0-9_]+$/.test(name),
  );
  return name === undefined ? settings : [...settings, ['log_comment', name]];
}

/** What a report's query is found by while it is under way: the engine takes no id for a statement. */
function queryNameOf(search: URLSearchParams): string | undefined {
  const id = search.get('query_id');
  return id?.startsWith(REPORT_QUERY_PREFIX) ? id : undefined;
}

function settingsClause(search: URLSearchParams): string {
  const settings = settingsOf(search).map(([name, value]) => `${name} = ${toLiteral(value)}`);
  return settings.length === 0 ? '' : `SETTINGS ${settings.join(', ')}`;
}

function toLiteral(value: string): string {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? value : toText(value);
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
