import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describeConverting } from '#domain/money/rates/describe-converting.ts';
import { describeOldRates, toDate } from '#domain/money/rates/describe-old-rates.ts';
import { createEnricher } from '#enrich/enrich-event.ts';
import { readRates } from '#enrich/rates/read-rates.ts';
import { readQueues, withLedgerCounts } from '#ledger/open-ledger.ts';
import { type DataPaths, dataPathsOf } from '#processes/paths.ts';
import { assertDataDir } from '#processes/start-troubles.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { findMistakenSettings, readSettings, type Settings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, toReason, writeAnswer } from '../io/answer.ts';
import { readProgramVersion } from '../io/version.ts';
import { countDamagedFiles } from '../verify/count-events.ts';

type Finding = {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** How to fix it, if the check failed. */
  readonly advice?: string;
};

const NODE_MAJOR = 26;
const WEEK_MS = 7 * 86_400_000;
const FREE_DISK_MIN_GB = 2;
/** A public DNS resolver, which every geolocation database knows. */
const KNOWN_ADDRESS = '8.8.8.8';

/** `tributary doctor`: checks what the server needs, and says how to fix each problem. */
export function doctorCommand(): Command {
  return jsonCommand('doctor', 'check version, Node, disk, engine and settings').action(
    async (options: AnswerOptions) => {
      const findings = await examine();
      const healthy = findings.every((finding) => finding.ok);
      writeAnswer(options, { healthy, findings }, findings.map(toLines).join('\n'));
      process.exitCode = healthy ? 0 : 1;
    },
  );
}

/** Returns what it found. Throws if something is wrong. */
type Work = () => string | Promise<string>;

async function check(name: string, advice: string, work: Work): Promise<Finding> {
  try {
    return { check: name, ok: true, found: await work() };
  } catch (error) {
    return { check: name, ok: false, found: toReason(error), advice };
  }
}

async function examine(): Promise<Finding[]> {
  let settings: Settings | undefined;
  const findings = [
    await check('version', '', () => `Tributary ${readProgramVersion()}`),
    await check('node', `Run it through npm, which provides Node ${NODE_MAJOR}.`, examineNode),
    await check('sqlite', '', () => `SQLite ${process.versions.sqlite}`),
    await check('names of settings', 'Correct the name in the environment or in .env.', () => {
      const mistaken = findMistakenSettings();
      if (mistaken.length > 0) throw new Error(mistaken.join(' '));
      return 'all are known';
    }),
    await check('settings', 'Correct the setting in the environment or in .env.', () => {
      settings = readSettings();
      return `valid; data in ${settings.dataDir}`;
    }),
  ];
  if (settings === undefined) return findings;
  const disk = await examineDisk(settings);
  findings.push(...disk);
  // If this user may not write to the disk, the stores would only report the same again.
  return disk.every(({ ok }) => ok) ? [...findings, ...(await examineStores(settings))] : findings;
}

async function examineDisk(settings: Settings): Promise<Finding[]> {
  const { dataDir } = settings;
  const writable =
    'Give this user write access to DATA_DIR and everything in it, and free space if the disk is full.';
  const space = `Free at least ${FREE_DISK_MIN_GB} GiB, or move DATA_DIR to a larger disk.`;
  const facts = 'Set it to a readable file, or unset it.';
  return [
    await check('data directory', writable, () => writeTo(dataDir)),
    await check('free space', space, () => findFreeSpace(dataDir)),
    await check('data files', facts, () => readFacts(settings)),
    await check('exchange rates', 'Replace the file, or remove it.', () => describeRates(dataDir)),
  ];
}

async function examineStores(settings: Settings): Promise<Finding[]> {
  const paths = dataPathsOf(settings.dataDir, settings.databaseUrl);
  const aside = 'Read the log of that time, copy the damaged files, then remove them.';
  const ledger =
    settings.databaseUrl === undefined
      ? 'Stop the process that holds the ledger, or restore its file from a backup.'
      : 'Check DATABASE_URL, that PostgreSQL is running, and that the database exists.';
  const engine =
    settings.clickhouseUrl === undefined
      ? 'The embedded engine needs glibc on Linux, or macOS; elsewhere set CLICKHOUSE_URL.'
      : 'Check CLICKHOUSE_URL, that the server is running, and that the database exists.';
  const warehouse = await check('warehouse', engine, () => askEngine(settings));
  const sites = await check('sites', ledger, () => describeSites(paths));
  // The others ask the same database, and would advise to mend files.
  if (!sites.ok && settings.databaseUrl !== undefined) return [sites, warehouse];
  return [
    await check('journals', aside, () => findSetAside(paths)),
    sites,
    await check('conversion', ledger, () => describeConversion(paths)),
    warehouse,
  ];
}

function examineNode(): string {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) < NODE_MAJOR) throw new Error(`Node ${node}`);
  return `Node ${node}`;
}

function writeTo(dataDir: string): string {
  assertDataDir(dataDir);
  const { journals, warehouse } = dataPathsOf(dataDir);
  for (const folder of [dataDir, journals, warehouse].filter((path) => fs.existsSync(path))) {
    fs.accessSync(folder, fs.constants.W_OK);
    for (const name of fs.globSync('*.db*', { cwd: folder })) {
      fs.accessSync(join(folder, name), fs.constants.W_OK);
    }
  }
  const path = join(dataDir, `.doctor-${process.pid}`);
  const startedAt = performance.now();
  fs.writeFileSync(path, 'x', { flush: true });
  const durationMs = performance.now() - startedAt;
  fs.rmSync(path);
  return `${dataDir} is writable; an fsync takes ${durationMs.toFixed(1)} ms`;
}

function findFreeSpace(dataDir: string): string {
  const { bavail, bsize } = fs.statfsSync(dataDir);
  const freeGb = (bavail * bsize) / 2 ** 30;
  const found = `${freeGb.toFixed(1)} GiB free`;
  if (freeGb < FREE_DISK_MIN_GB) throw new Error(found);
  return found;
}

/** Loads the tables of `data/`, the geolocation database and the data centre ranges. */
function readFacts(settings: Settings): string {
  const { country } = createEnricher(settings).findPlace(KNOWN_ADDRESS);
  const places = settings.geoipPath ?? 'the DB-IP package';
  return `locations from ${places}${country === '' ? ', which does not know a public address' : ''}`;
}

/** Old rates are not a fault: sites that are paid in one currency need none. */
function describeRates(dataDir: string): string {
  const [{ days = [] } = {}] = readRates(dataPathsOf(dataDir).rates); // Fails if a file is malformed.
  const lastDay = days.at(-1) ?? 0;
  return describeOldRates(lastDay, Date.now()) ?? `known up to ${toDate(lastDay)}`;
}

/** Fails if anything was set aside, until an operator removes it. */
async function findSetAside(paths: DataPaths): Promise<string> {
  const files = countDamagedFiles(paths);
  const queues = [...(await readQueues(paths)).values()];
  const batches = queues.reduce((sum, queue) => sum + queue.damagedBatches, 0);
  const found = `${files} damaged files and ${batches} batches set aside`;
  if (files + batches > 0) throw new Error(found);
  return found;
}

/** Unknown sites are not a fault: anybody can send such events. */
async function describeSites({ ledger: path, journals }: DataPaths): Promise<string> {
  const found = await withLedgerCounts(path, async (ledger) => {
    const { count, hosts } = await ledger.findUnknownSiteDrops(Date.now() - WEEK_MS);
    const from = hosts.length === 0 ? '' : `, from pages on ${hosts.join(', ')}`;
    return `known: ${(await ledger.domainsById()).size}; events for unknown sites in the last 7 days: ${count}${from}`;
  });
  if (found !== undefined) return found;
  // A server makes the ledger before its first journal.
  if (fs.existsSync(journals))
    throw new Error('the ledger is missing, although there are journals');
  return 'none yet';
}

/** A conversion is not a fault: it ends by itself. */
async function describeConversion({ ledger: path }: DataPaths): Promise<string> {
  const sites = await withLedgerCounts(path, (ledger) => ledger.listSites());
  const underWay = (sites ?? []).flatMap(({ domain, converting }) =>
    converting === undefined ? [] : `${domain}: ${describeConverting(converting)}`,
  );
  if (underWay.length === 0) return 'all payments have money in the currency of their site';
  return `payments are being converted again; until then, some amounts are old. ${underWay.join(' ')}`;
}

async function askEngine(settings: Settings): Promise<string> {
  const where = settings.clickhouseUrl === undefined ? 'embedded engine' : 'ClickHouse server';
  return withWarehouse(settings, async (warehouse) => {
    const sql = 'SELECT version() AS version';
    const [row] = await warehouse.select<{ version: string }>({ sql });
    return `${where} ${row?.version} is responding`;
  });
}

function toLines({ check: name, ok, found, advice = '' }: Finding): string {
  return ok ? `ok    ${name}: ${found}` : `FAULT ${name}: ${found}\n      ${advice}`;
}
