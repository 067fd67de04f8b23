import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { totalmem } from 'node:os';
import { parseEnv } from 'node:util';
import { type OidcSettings, readOidcSettings } from '#accounts/oidc-settings.ts';
import { findLikelyName } from '#domain/find-likely-name.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { parseCidrs } from '#enrich/data-centres.ts';
import { readTrustedApis } from '#enrich/guarded-request.ts';
import { readRatesUrl } from '#enrich/rates/rates-url.ts';
import { readMailSettings } from '#notify/mail-settings.ts';
import { isPostgres } from '#storage/sql/sql.ts';

/** What the environment decides; docs/operations.md lists them. */
export type Settings = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** As callers see it, without a slash at the end; when unset, the address that listens. */
  readonly baseUrl: string | undefined;
  readonly dataDir: string;
  /** When unset, the embedded engine. User, password and database are in the URL. */
  readonly clickhouseUrl: string | undefined;
  /** The PostgreSQL database of ledger and logins; when unset, files of SQLite. */
  readonly databaseUrl: string | undefined;
  /** Encrypts the secrets of providers; when unset, a file's key does. */
  readonly secretKey: string | undefined;
  /** What the engine may take of memory in all; warehouse/client/engine-memory.ts shares it. */
  readonly engineMemoryBytes: number;
  /** How long a report's statement may take. */
  readonly queryMaxMs: number;
  /** CIDRs whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: LogLevel;
  /** Reads a minute for each key; 0 for no limit. */
  readonly rateLimitReads: number;
  /** Writes a second for each key, or address without one; 0 for no limit. */
  readonly rateLimitWrites: number;
  /** How many connections the server keeps open. */
  readonly connectionsMax: number;
  /** Origins of payment providers' APIs that may be on a private network. */
  readonly trustedApis: readonly string[];
  /** How many bytes of events may wait to be shipped. */
  readonly journalMaxBytes: number;
  /** How many days shipped events are kept for a rebuild: 0 for not at all, unset for ever. */
  readonly archiveDays: number | undefined;
  /** A database of places in MaxMind's format; when unset, the one that comes as a package. */
  readonly geoipPath: string | undefined;
  /** A file with addresses of data centres, one range a line. */
  readonly dataCentreRanges: string | undefined;
  /** The server that mails go through, and whom they are from; when unset, none are sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined;
  /** A table of exchange rates that is fetched daily; when unset, none is. */
  readonly ratesUrl: string | undefined;
  /** Where people sign in besides; when unset, by their passwords here alone. */
  readonly oidc: OidcSettings | undefined;
};

type LogLevel = (typeof LOG_LEVELS)[number];
/** Pino's names. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const BYTES_PER_MB = 1_000_000;

/** Some twenty million events: more than an hour at five thousand a second. */
const JOURNAL_MAX_MB = 10_000;

const READS = 'a whole number of reads a minute for each key, or 0 for no limit';
const WRITES = 'a whole number of writes a second for each key or address, or 0 for no limit';
/** The default takes some hundred MB of sockets at the worst, and is below the usual limit of open files. */
const CONNECTIONS = 'a whole number of connections, at least 1';
/** Clients and proxies wait for a minute at the most. */
const QUERY_SECONDS = 'a whole number of seconds from 1 to 55';

/** Enough to start, insert and merge; and for queries all that they may have, of a server elsewhere. */
const [ENGINE_MEMORY_MIN_MB, ENGINE_MEMORY_REMOTE_MB] = [512, 4_000];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings of this process: its environment, and for what that leaves out the file `.env` of the folder it runs in.
 * Throws with one line that names the setting, its value and what is allowed.
 */
export function readSettings(): Settings {
  const settings = parseSettings(readEnvironment());
  if (!settings.ok) throw new Error(settings.error);
  return settings.value;
}

/** A line for each name in the environment of this process, or in `.env`, that looks like a setting's. */
export function findMistakenSettings(environment = readEnvironment()): readonly string[] {
  const names: string[] = [];
  settingsOf(new Proxy({}, { get: (_, name) => void names.push(String(name)) }));
  return Object.keys(environment).flatMap((written) => {
    const meant = names.includes(written) ? undefined : findLikelyName(written, names);
    return meant === undefined ? [] : [`${written} is not a setting. Did you mean ${meant}?`];
  });
}

function readEnvironment(): Environment {
  return { ...readEnvFile('.env'), ...process.env };
}

/**
 * The settings that an environment names; an empty value counts as none. Refuses the first invalid one, with a line that
 * names it, its value and what is allowed.
 */
export function parseSettings(environment: Environment): Result<Settings, string> {
  try {
    return ok(settingsOf(environment));
  } catch (error) {
    if (error instanceof InvalidSetting) return refuse(error.message);
    throw error;
  }
}

class InvalidSetting extends Error {}

function settingsOf(environment: Environment): Settings {
  const read = <T>(
    name: string,
    otherwise: T,
    parse: (text: string) => T | undefined,
    allowed: string,
  ): T => {
    const text = environment[name]?.trim() ?? '';
    if (text === '') return otherwise;
    const value = parse(text);
    if (value !== undefined) return value;
    // On one line, without secrets and what a URL says before its host: messages end up in logs.
    const shown = name === 'SECRET_KEY' ? '…' : text.replace(/\/\/.*@/s, '//…@');
    throw new InvalidSetting(`${name} is ${shown.replace(/\s+/g, ' ')}; allowed is ${allowed}.`);
  };

  const readMegabytes = (name: string, otherwise: number, least: number) => {
    const allowed = `a whole number of megabytes, at least ${least}`;
    return BYTES_PER_MB * read(name, otherwise, wholeBetween(least, 1_000_000_000), allowed);
  };
  const none = () => undefined;
  read('CLICKHOUSE_CLUSTER', undefined, none, 'nothing: the warehouse is one engine or one server');
  const baseUrl = read(
    'BASE_URL',
    undefined,
    toBaseUrl,
    'an http or https URL without query, such as https://hi.example.com',
  );
  const [oidc, mail] = [readOidcSettings(read, baseUrl), readMailSettings(read, baseUrl)];
  if (!oidc.ok) throw new InvalidSetting(oidc.error);
  if (!mail.ok) throw new InvalidSetting(mail.error);
  return {
    ...{ mail: mail.value, oidc: oidc.value, baseUrl },
    host: read('HOST', '127.0.0.1', toHost, 'an address or a host name, such as 127.0.0.1 or ::'),
    port: read('PORT', 8787, wholeUpTo(65_535), 'a whole number from 0 (any free port) to 65535'),
    dataDir: read('DATA_DIR', './tributary-data', toPath, 'the path of a folder'),
    databaseUrl: read(
      'DATABASE_URL',
      undefined,
      (text) => (isPostgres(text) && URL.canParse(text) ? text : undefined),
      'the URL of a PostgreSQL database, such as postgres://user:password@host:5432/tributary',
    ),
    clickhouseUrl: read(
      'CLICKHOUSE_URL',
      undefined,
      toHttpUrl,
      'an http or https URL, such as https://user:password@host:8443/database',
    ),
    secretKey: read('SECRET_KEY', undefined, atLeast32, 'a random text of at least 32 characters'),
    engineMemoryBytes: readMegabytes(
      'ENGINE_MEMORY_MB',
      environment.CLICKHOUSE_URL?.trim() ? ENGINE_MEMORY_REMOTE_MB : halfOfMemoryMb(),
      ENGINE_MEMORY_MIN_MB,
    ),
    trustedProxies: read(
      'TRUSTED_PROXIES',
      [],
      parseCidrs,
      'a list of addresses and CIDRs, such as 10.0.0.0/8,::1',
    ),
    trustedApis: readTrustedApis(read),
    logLevel: read('LOG_LEVEL', 'info', toLogLevel, `one of ${LOG_LEVELS.join(', ')}`),
    rateLimitReads: read('RATE_LIMIT_READS', 600, wholeUpTo(1_000_000_000), READS),
    rateLimitWrites: read('RATE_LIMIT_WRITES', 0, wholeUpTo(1_000_000_000), WRITES),
    connectionsMax: read('CONNECTIONS_MAX', 10_000, wholeBetween(1, 1_000_000), CONNECTIONS),
    queryMaxMs: 1_000 * read('QUERY_MAX_SECONDS', 10, wholeBetween(1, 55), QUERY_SECONDS),
    journalMaxBytes: readMegabytes('JOURNAL_MAX_MB', JOURNAL_MAX_MB, 1),
    archiveDays: read(
      'ARCHIVE_DAYS',
      undefined,
      wholeUpTo(36_500),
      'a whole number of days up to 36500, or 0 for no archive',
    ),
    geoipPath: read('GEOIP_PATH', undefined, toPath, 'the path of a file, such as city.mmdb'),
    ratesUrl: readRatesUrl(read, toHttpUrl, environment.RATES_URL),
    dataCentreRanges: read('DATA_CENTRE_RANGES', undefined, toPath, 'the path of a list of CIDRs'),
  };
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`The file ${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Of the machine, or of the container where that has less. */
function halfOfMemoryMb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(ENGINE_MEMORY_MIN_MB, Math.floor(bytes / 2 / BYTES_PER_MB));
}

function wholeBetween(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

const wholeUpTo = (max: number) => wholeBetween(0, max);

function toHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined;
}

function toPath(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}

const atLeast32 = (text: string) => (text.length < 32 ? undefined : text);

function toHttpUrl(text: string): string | undefined {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:' ? text : undefined;
}

function toBaseUrl(text: string): string | undefined {
  return toHttpUrl(text) !== undefined && !/[?#]/.test(text) ? text.replace(/\/+$/, '') : undefined;
}

const toLogLevel = (text: string) => LOG_LEVELS.find((level) => level === text);
