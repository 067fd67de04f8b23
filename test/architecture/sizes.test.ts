import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, ROOT, readSourceFiles, type SourceFile } from './source-files.ts';

/** How many lines a part of the source may have, tests aside. What grows takes from something else. */
const LINES_MAX = {
  report: 7_800,
  warehouse: 2_800,
  'journal and storage': 2_400,
  ledger: 3_300,
  server: 1_400,
  api: 1_400,
  manage: 1_400,
  cli: 2_900,
  ingest: 2_200,
  accounts: 1_500,
  'all of src': 53_340,
} as const;

/**
 * What features have taken in addition since these were set: claims, undone joins, payments that are
 * listed and changed by hand, refunds that are matched, sites that change, the script's own path, a
 * page of the API, what regular expressions cost, memory in all, clocks that leap, Plausible’s names,
 * CIDRs that settings name, in a file of their own, matched refunds in the payments they pay back and in any order, links
 * that share a part of a site, the demo shop by a click, payments of a period, exchange rates that a query brings along,
 * refunds voided by themselves and in any order, the states of payments under a lookback window, addresses that are proved,
 * guessers who are slowed, bodies whose work is bounded, masks for secrets, touches in mid-visit, a script for readers, shapes of the API
 * with names, two databases for ledger and logins with migrations and copies, refunds matched in any order.
 */
const ADDED: { readonly [Part in keyof typeof LINES_MAX]: number } = {
  report: 900,
  warehouse: 200,
  'journal and storage': 911,
  ledger: 1_700,
  server: 860,
  api: 720,
  manage: 820,
  cli: 750,
  ingest: 250,
  accounts: 766,
  'all of src': 9_890,
};

const FILES_MAX = 25;
/** Folders that still hold more. The list only shrinks. */
const TOO_FULL: ReadonlySet<string> = new Set<string>();

describe('the size of the source', () => {
  const lines = new Map<string, number>();
  for (const file of readSourceFiles().filter((each) => !isTest(each))) {
    const count = file.text.split('\n').length - 1;
    for (const part of partsOf(file)) {
      lines.set(part, (lines.get(part) ?? 0) + count);
    }
  }

  for (const part of Object.keys(LINES_MAX) as (keyof typeof LINES_MAX)[]) {
    const max = LINES_MAX[part] + ADDED[part];
    it(`of ${part} is at most ${max} lines`, (t) => {
      const found = lines.get(part) ?? 0;
      t.diagnostic(`${part}: ${found} of ${max} lines`);
      assert.ok(found <= max, `${found} lines`);
    });
  }

  it(`is at most ${FILES_MAX} files in a folder, in tests too`, (t) => {
    const files = globSync(['src/**/*.*', 'test/**/*.*'], { cwd: ROOT })
      // A component and its styles are one thing in two files.
      .filter((path) => !path.endsWith('.module.css'));
    const folders = Map.groupBy(files, (path) => dirname(path));
    const full = [...folders]
      .filter(([, inside]) => inside.length > FILES_MAX)
      .map(([folder, inside]) => `${folder}: ${inside.length}`);
    for (const folder of full) t.diagnostic(folder);
    assert.deepEqual(
      full.filter((folder) => !TOO_FULL.has(folder.split(':')[0] ?? '')),
      [],
    );
  });

  it('lies in rooms: beside them stand only the settings', () => {
    assert.deepEqual(globSync('src/*.*', { cwd: ROOT }), ['src/settings.ts']);
  });
});

function partsOf({ room }: SourceFile): readonly string[] {
  const isQueue = room === 'journal' || room === 'storage';
  return [isQueue ? 'journal and storage' : room, 'all of src'];
}
