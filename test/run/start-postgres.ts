import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './find-free-port.ts';

/** A PostgreSQL server for tests, with an empty database for each of them. */
export type PostgresOfTests = {
  /** The URL of its first database. */
  readonly url: string;
  /** Makes a database. Returns its URL. */
  makeDatabase(): Promise<string>;
  /** Ends the server's process with SIGKILL, and starts it again on the same data. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Ends all connections to its databases. */
  endConnections(): Promise<void>;
  stop(): Promise<void>;
};

/** A busy machine needs long to recover what was written before a crash. */
const START_MAX_MS = 60_000;

/** Where Debian, Homebrew and others put the programs. */
const PLACES = [
  ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`),
  ...[18, 17, 16, 15, 14].map((version) => `/opt/homebrew/opt/postgresql@${version}/bin`),
  '/usr/local/bin',
  '/usr/bin',
];

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export function findPostgres(): string | undefined {
  return PLACES.find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * A server that begins empty in a temporary folder, or the one at `TEST_DATABASE_URL`. One that keeps nothing in a crash is
 * faster.
 */
export async function startPostgres({
  keepsNothing = false,
} = {}): Promise<PostgresOfTests | undefined> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) {
    const isRunning = async () => {};
    return {
      url: given,
      makeDatabase: () => makeDatabase(given),
      endConnections: () => endConnections(given),
      ...{ crash: isRunning, start: isRunning, stop: isRunning },
    };
  }
  const programs = findPostgres();
  return programs === undefined ? undefined : startOwn(programs, keepsNothing);
}

async function startOwn(programs: string, keepsNothing: boolean): Promise<PostgresOfTests> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-postgres-'));
  const user = findUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const setUp = [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--no-locale',
  ];
  execFileSync(join(programs, 'initdb'), setUp, { ...user, cwd: folder, stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = spawnServer();

  function spawnServer() {
    const options = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', folder];
    // Its process crashes here, never the machine: what the kernel has been given is kept.
    options.push('-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'autovacuum=off');
    if (keepsNothing) options.push('-c', 'synchronous_commit=off');
    const spawned = spawn(join(programs, 'postgres'), options, {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    spawned.unref();
    return spawned;
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded()) return;
    server.ref();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  async function start(): Promise<void> {
    for (const until = performance.now() + START_MAX_MS; ; await sleep(50)) {
      // It refuses to start while processes of the one that was killed are still there.
      if (hasEnded()) server = spawnServer();
      const failure = await tryToConnect(url);
      if (failure === undefined) return;
      if (performance.now() > until) throw failure;
    }
  }

  await start();
  return {
    url,
    makeDatabase: () => makeDatabase(url),
    crash: () => end('SIGKILL'),
    start,
    endConnections: () => endConnections(url),
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function findUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres']).toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function tryToConnect(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    return error;
  }
}

let made = 0;
/** Makes an empty database on a server. Returns its URL. */
export async function makeDatabase(server: string): Promise<string> {
  made += 1;
  const name = `tributary_test_${process.pid}_${made}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Makes an empty schema in a database, in a tenth of the time of {@link makeDatabase}. Returns its URL. */
export async function makeSchema(database: string): Promise<string> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  const client = new pg.Client(database);
  await client.connect();
  await client.query(`CREATE SCHEMA ${name}`);
  await client.end();
  const url = new URL(database);
  url.searchParams.set('options', `-c search_path=${name}`);
  return url.href;
}

/** Kept open, so that it knows the tables; it does not keep the process alive. */
let emptying: pg.Pool | undefined;

/** Empties the tables of {@link makeSchema}'s schema but for their version, then inserts `rows` as their maker does. */
export async function emptySchema(url: string, rows: string): Promise<void> {
  emptying ??= new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  const [, path = ''] = /search_path=(\w+)/.exec(decodeURIComponent(url)) ?? [];
  await emptying.query(`
    SET search_path TO ${path};
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = current_schema() AND tablename <> 'schema_versions'
      LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
      PERFORM setval(format('%I', sequencename), 1, false) FROM pg_sequences
        WHERE schemaname = current_schema() AND last_value IS NOT NULL;
    END $$;
    ${rows}`);
}

async function endConnections(server: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname LIKE 'tributary_test_%'`);
  await client.end();
}
