import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { createEnricher } from '#enrich/enrich-event.ts';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { readSettings, type Settings } from '#settings.ts';
import { findUnwritable, isRefusedWrite } from '../find-unwritable.ts';
import { countSetAside } from '../verify/count-set-aside.ts';

type Finding = {
  readonly check: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do about it, when it is not fine. */
  readonly advice?: string;
};

const NODE_MAJOR = 26;
const WEEK_MS = 7 * 86_400_000;
const FREE_DISK_MIN_GB = 2;
const WRITABLE = 'Let this user write to DATA_DIR and all that is in it.';
/** Any database of places has it: a public resolver of names. */
const KNOWN_ADDRESS = '8.8.8.8';

/** `tributary doctor`: checks what the server needs, and says what to do about each fault. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check Node, disk, engine and settings')
    .option('--json', 'print one JSON value')
    .action(async (options: { json?: boolean }) => {
      const findings = await examine();
      const healthy = findings.every((finding) => finding.ok);
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify({ healthy, findings })}\n`
          : findings.map(toLine).join(''),
      );
      process.exitCode = healthy ? 0 : 1;
    });
}

async function examine(): Promise<Finding[]> {
  const findings = [examineNode(), examineSqlite()];
  const settings = attempt('settings', 'Correct the setting in the environment or in .env.', () => {
    const read = readSettings();
    return { value: read, found: `valid; data in ${read.dataDir}` };
  });
  findings.push(settings.finding);
  if (settings.value === undefined) return findings;
  findings.push(examineDisk(settings.value), examineFreeSpace(settings.value));
  findings.push(examineFacts(settings.value));
  findings.push(examineJournals(settings.value), examineUnknownSites(settings.value));
  findings.push(await examineEngine(settings.value));
  return findings;
}

function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return {
    check: 'node',
    ok: major >= NODE_MAJOR,
    found: `Node ${process.versions.node}`,
    advice: `Run it through npm (npm start, npm run tributary), which brings Node ${NODE_MAJOR}.`,
  };
}

function examineSqlite(): Finding {
  const db = new DatabaseSync(':memory:');
  const version = String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
  db.close();
  return { check: 'sqlite', ok: true, found: `SQLite ${version}` };
}

function examineDisk({ dataDir }: Settings): Finding {
  return attempt('data directory', 'Give DATA_DIR a folder that this user may write to.', () => {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
    const path = join(dataDir, `.doctor-${process.pid}`);
    const file = openSync(path, 'w');
    const startedAt = performance.now();
    writeSync(file, 'x');
    fsyncSync(file);
    const durationMs = performance.now() - startedAt;
    closeSync(file);
    rmSync(path);
    return {
      value: true,
      found: `${dataDir} is writable; an fsync takes ${durationMs.toFixed(1)} ms`,
    };
  }).finding;
}

function examineFreeSpace({ dataDir }: Settings): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const freeGb = (bavail * bsize) / 2 ** 30;
  return {
    check: 'free space',
    ok: freeGb >= FREE_DISK_MIN_GB,
    found: `${freeGb.toFixed(1)} GiB free`,
    advice: `Free at least ${FREE_DISK_MIN_GB} GiB, or move DATA_DIR to a larger disk.`,
  };
}

/** The tables of `data/`, the database of places, the addresses of data centres. */
function examineFacts(settings: Settings): Finding {
  const advice = 'Give the setting a file that can be read, or leave it out.';
  return attempt('facts', advice, () => {
    const { findPlace } = createEnricher(settings);
    const { country } = findPlace(KNOWN_ADDRESS);
    const places = settings.geoipPath ?? 'the package of DB-IP';
    return {
      value: true,
      found: `places from ${places}${country === '' ? ', which know nothing' : ''}`,
    };
  }).finding;
}

/** What was set aside is not lost: it lies there for somebody to look at. */
function examineJournals({ dataDir }: Settings): Finding {
  const advice = 'Read the log of that time, copy what is there, then take the damaged files away.';
  return attempt('journals', advice, () =>
    tellingUnwritable(dataDir, () => {
      const { files, batches } = countSetAside(dataPathsOf(dataDir));
      const found = `${files} damaged files and ${batches} batches are set aside`;
      if (files + batches > 0) throw new Error(found);
      return { value: true, found };
    }),
  ).finding;
}

/** A page whose script names a site that nobody has added: anybody may send such a thing, it is no fault. */
function examineUnknownSites({ dataDir }: Settings): Finding {
  return attempt('sites', 'Stop what holds the ledger, or look at its file.', () => {
    const path = dataPathsOf(dataDir).ledger;
    if (!existsSync(path)) return { value: true, found: 'none yet' };
    return tellingUnwritable(dataDir, () => ({ value: true, found: describeSites(path) }));
  }).finding;
}

function describeSites(path: string): string {
  const ledger = openLedgerCounts(path);
  try {
    const { count, hosts } = ledger.findUnknownSiteDrops(Date.now() - WEEK_MS);
    const from = hosts.length === 0 ? '' : `, of pages on ${hosts.join(', ')}`;
    return `${ledger.domainsById().size} sites; ${count} events of the last 7 days named no site that is there${from}`;
  } finally {
    ledger.close();
  }
}

async function examineEngine(settings: Settings): Promise<Finding> {
  const where = settings.clickhouseUrl === undefined ? 'embedded engine' : 'ClickHouse server';
  try {
    const version = await withWarehouse(settings, async (warehouse) => {
      const [row] = await warehouse.select<{ version: string }>({
        sql: 'SELECT version() AS version',
      });
      return row?.version;
    });
    return { check: 'warehouse', ok: true, found: `${where} ${version} answers` };
  } catch (error) {
    const unwritable = findUnwritable(settings.dataDir);
    return {
      check: 'warehouse',
      ok: false,
      found: `the ${where} does not answer: ${toMessage(error)}`,
      advice: unwritable === undefined ? adviceFor(settings) : WRITABLE,
    };
  }
}

function adviceFor({ clickhouseUrl }: Settings): string {
  return clickhouseUrl === undefined
    ? 'The embedded engine needs glibc on Linux, or macOS; elsewhere set CLICKHOUSE_URL.'
    : 'Check CLICKHOUSE_URL, and that the server runs and its database exists.';
}

/** What `work` answers; where it fails as something may not be written, that is told. */
function tellingUnwritable<T>(dataDir: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const path = isRefusedWrite(error) ? findUnwritable(dataDir) : undefined;
    if (path === undefined) throw error;
    throw new UnwritableError(
      `not known, as this user may not write to ${path} (${toMessage(error)})`,
    );
  }
}

class UnwritableError extends Error {}

function attempt<T>(
  check: string,
  advice: string,
  work: () => { readonly value: T; readonly found: string },
): { readonly finding: Finding; readonly value: T | undefined } {
  try {
    const { value, found } = work();
    return { finding: { check, ok: true, found }, value };
  } catch (error) {
    const found = toMessage(error);
    const helps = error instanceof UnwritableError ? WRITABLE : advice;
    return { finding: { check, ok: false, found, advice: helps }, value: undefined };
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toLine({ check, ok, found, advice }: Finding): string {
  const mark = ok ? 'ok   ' : 'FAULT';
  const help = ok || advice === undefined ? '' : `      ${advice}\n`;
  return `${mark} ${check}: ${found}\n${help}`;
}
