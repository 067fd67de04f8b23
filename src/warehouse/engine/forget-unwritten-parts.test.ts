import assert from 'node:assert/strict';
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Session } from 'chdb';
import { SCHEMA } from '../tables/schema.ts';
import { forgetUnwrittenParts, hasUnwrittenParts } from './forget-unwritten-parts.ts';

const MONTH_MS = 31 * 24 * 60 * 60 * 1_000;
const FIRST_MS = Date.UTC(2026, 0, 15);

/** A column of each table that no other one has. */
const OWN_COLUMNS: Readonly<Record<string, string>> = {
  events: 'batch_id',
  visits: 'goals',
  visitors: 'first',
};

/** What the engine's kill leaves behind, made by hand on a closed engine. */
describe('an engine that was killed during an insert', () => {
  let folder: string;
  let engine: Session;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-unwritten-'));
    await open();
    await insert(1);
    await insert(2);
  });
  afterEach(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });

  for (const table of ['events', 'visits', 'visitors']) {
    it(`takes the same insert again when ${table} has the token but not the rows`, async () => {
      engine.close();
      removeParts(lastPartsOf(table));
      assert.ok(forgetUnwrittenParts(folder) > 0);
      await open();
      await insert(2);
      assert.deepEqual(await counts(), [6, 6, 6]);
    });
  }

  it('completes the views when only the events were written', async () => {
    engine.close();
    for (const table of ['visits', 'visitors']) {
      const parts = lastPartsOf(table);
      removeParts(parts);
      removeLogLines(parts);
    }
    forgetUnwrittenParts(folder);
    await open();
    assert.deepEqual(await counts(), [6, 3, 3]);
    await insert(2);
    assert.deepEqual(await counts(), [6, 6, 6]);
  });

  it('keeps the tokens of existing rows, merged or not', async () => {
    await engine.queryAsync('SYSTEM START MERGES events');
    await engine.queryAsync('OPTIMIZE TABLE events FINAL');
    engine.close();
    assert.equal(forgetUnwrittenParts(folder), 0);
    await open();
    await insert(1);
    await insert(2);
    assert.deepEqual(await counts(), [6, 6, 6]);
  });

  it('would lose the rows without the cleanup', async () => {
    engine.close();
    removeParts(lastPartsOf('events'));
    await open();
    await insert(2);
    assert.deepEqual(await counts(), [3, 6, 6]);
  });

  it('detects a part that failed after it was moved into place', async () => {
    const ask = async (sql: string) => (await engine.queryAsync(sql)).text();
    assert.equal(await hasUnwrittenParts(ask), false);
    const [part = ''] = lastPartsOf('events');
    mkdirSync(join(part, '..', '202601_99_99_0'));
    appendFileSync(logOf(part), '1\t202601_99_99_0\tbatch-3\n');
    assert.equal(await hasUnwrittenParts(ask), true);
  });

  it('is uncertain when a log cannot be read', async () => {
    const log = logOf(lastPartsOf('events')[0] ?? '');
    rmSync(log);
    mkdirSync(log);
    const ask = async (sql: string) => (await engine.queryAsync(sql)).text();
    await assert.rejects(hasUnwrittenParts(ask), /EISDIR/);
  });

  async function open(): Promise<void> {
    engine = new Session(folder);
    await engine.queryAsync('CREATE DATABASE IF NOT EXISTS tributary');
    await engine.queryAsync('USE tributary');
    for (const sql of Object.values(SCHEMA)) await engine.queryAsync(sql);
    // A merge of its own accord would make the parts' names unforeseeable.
    for (const name of ['events', 'visits', 'visitors']) {
      await engine.queryAsync(`SYSTEM STOP MERGES ${name}`);
    }
  }

  /** Three pageviews of three visits in three months, and so three parts a table at most. */
  async function insert(batch: number): Promise<void> {
    const lines = [0, 1, 2].map((month) => {
      const at = FIRST_MS + month * MONTH_MS;
      const id = `00000000-0000-4000-8000-00000000000${month}`;
      return JSON.stringify({
        ...{ batch_id: batch, site_id: 's', type: 'pageview', visitor_id: `v${month}` },
        ...{ occurred_at: at, accepted_at: at, event_id: id, visit_id: id, visit_started_at: at },
      });
    });
    await engine.insert({
      table: 'events',
      values: Buffer.from(`${lines.join('\n')}\n`),
      format: 'JSONEachRow',
      settings: {
        async_insert: 0,
        insert_deduplication_token: `batch-${batch}`,
        deduplicate_blocks_in_dependent_materialized_views: 1,
      },
    });
  }

  async function counts(): Promise<number[]> {
    const answer = await engine.queryAsync(
      `SELECT (SELECT count() FROM events), (SELECT sum(events) FROM visits),
        (SELECT sum(pageviews) FROM visitors)`,
      { format: 'TabSeparated' },
    );
    return answer.text().trim().split('\t').map(Number);
  }

  /** The folders of the parts that the second insert made: those after the first's. */
  function lastPartsOf(table: string): string[] {
    const parts = globSync(`${folder}/store/*/*/*_*_*_*/columns.txt`)
      .filter((path) => readFileSync(path, 'utf8').includes(`\`${OWN_COLUMNS[table]}\``))
      .map((path) => path.slice(0, -'/columns.txt'.length));
    return parts.toSorted(byInsert).slice(parts.length / 2);
  }
});

function logOf(part: string): string {
  const [log = ''] = globSync(join(part, '..', 'deduplication_logs', '*.txt'));
  return log;
}

function byInsert(a: string, b: string): number {
  return insertOf(a) - insertOf(b);
}

function insertOf(part: string): number {
  return Number(part.split('/').at(-1)?.split('_')[1]);
}

function removeParts(parts: readonly string[]): void {
  assert.ok(parts.length > 0);
  for (const part of parts) rmSync(part, { recursive: true });
}

function removeLogLines(parts: readonly string[]): void {
  for (const part of parts) {
    const [, table, name] = /^(.*)\/([^/]+)$/.exec(part) ?? [];
    for (const log of globSync(`${table}/deduplication_logs/*`)) {
      const lines = readFileSync(log, 'utf8').split('\n');
      const kept = lines.filter((line) => !line.startsWith(`1\t${name}\t`));
      writeFileSync(log, kept.join('\n'));
    }
  }
}
