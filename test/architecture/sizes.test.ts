import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { PROVIDERS } from '#providers/known/providers.ts';
import { isTest, ROOT, readDoc, readSourceFiles } from './source-files.ts';

/**
 * How many lines each room may have, tests aside, and all of them together without style sheets. The numbers only
 * shrink. Lines that move to another room take their number along; a feature that needs more says so in a commit of its
 * own.
 */
const LINES_MAX: Readonly<Record<string, number>> = {
  accounts: 1_810,
  api: 2_473,
  app: 1_062,
  cli: 4_897,
  contract: 4_941,
  dashboard: 19_962,
  domain: 4_075,
  enrich: 1_492,
  imports: 1_335,
  ingest: 2_603,
  jobs: 203,
  journal: 1_635,
  ledger: 7_454,
  manage: 3_035,
  mcp: 824,
  notify: 1_215,
  processes: 1_006,
  providers: 7_940,
  report: 11_624,
  server: 2_459,
  'settings.ts': 241,
  storage: 1_706,
  tracker: 436,
  warehouse: 2_658,
  'style sheets': 2_766,
  'all of src': 87_086,
};

const FILES_MAX = 25;

/** How many lines the folder of a payment provider may have. */
const PROVIDER_LINES_MAX = 400;

describe('the size of the source', () => {
  const lines: Record<string, number> = { 'all of src': 0, 'style sheets': 0 };
  const count = (part: string, text: string) => {
    lines[part] = (lines[part] ?? 0) + text.split('\n').length - 1;
  };
  for (const file of readSourceFiles().filter((each) => !isTest(each))) {
    count(file.room, file.text);
    count('all of src', file.text);
  }
  for (const path of globSync('src/**/*.css', { cwd: ROOT })) count('style sheets', readDoc(path));

  for (const [part, found] of Object.entries(lines)) {
    const max = LINES_MAX[part] ?? 0;
    it(`of ${part} is at most ${max} lines`, (t) => {
      t.diagnostic(`${part}: ${found} of ${max} lines`);
      assert.ok(found <= max, `${found} lines`);
    });
  }

  it(`is at most ${FILES_MAX} files in a folder, in tests too`, () => {
    const files = globSync(['src/**/*.*', 'test/**/*.*'], { cwd: ROOT })
      // A component and its styles are one thing in two files.
      .filter((path) => !path.endsWith('.module.css'));
    const folders = Map.groupBy(files, (path) => dirname(path));
    const full = [...folders]
      .filter(([, inside]) => inside.length > FILES_MAX)
      .map(([folder, inside]) => `${folder}: ${inside.length}`);
    assert.deepEqual(full, []);
  });

  it(`is at most ${PROVIDER_LINES_MAX} lines for a payment provider`, () => {
    const own = readSourceFiles().filter((file) => !isTest(file));
    for (const name of PROVIDERS.map((provider) => provider.name)) {
      const inside = own.filter(({ path }) => dirname(path) === `src/providers/${name}`);
      const found = inside.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
      assert.ok(found > 0 && found <= PROVIDER_LINES_MAX, `${name}: ${found} lines`);
    }
  });

  it('lies in rooms: beside them stand only the settings', () => {
    assert.deepEqual(globSync('src/*.*', { cwd: ROOT }), ['src/settings.ts']);
  });
});
