import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT, readSourceFiles } from './source-files.ts';

/** Where the one of each constant is declared. */
const DURATIONS = 'src/domain/time/durations.ts';
const VISIT_ROW = 'src/contract/rows/visit-row.ts';

const COPY_OF_DURATION = /\bconst (?:DAY|HOUR|MINUTE)(?:_MS)? = (?:\d{2}|(?:DAY|HOUR|MINUTE)\b)/;
const NO_VISIT_SPELLED_OUT = /0{8}-0{4}-0{4}-0{4}-0{12}/;

describe('one thing has one name', () => {
  const sources = readSourceFiles();
  const tests = globSync('test/**/*.ts', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
  const pathsOf = (files: readonly { path: string; text: string }[], copy: RegExp) =>
    files.filter(({ text }) => copy.test(text)).map(({ path }) => path);

  it('a day, an hour and a minute are declared in one file', () => {
    assert.deepEqual(pathsOf([...sources, ...tests], COPY_OF_DURATION), [DURATIONS]);
  });

  it('the visit of events without one is written out once', () => {
    assert.deepEqual(pathsOf([...sources, ...tests], NO_VISIT_SPELLED_OUT), [VISIT_ROW]);
  });
});
