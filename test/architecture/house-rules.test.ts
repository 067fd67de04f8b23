import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isTest, ROOT, readSourceFiles } from './source-files.ts';

/** Files longer than a newcomer should meet. The list only shrinks. */
const LONG_FILES_ALLOWED = new Set<string>([]);
const LINES_MAX = 250;

/** Files that set timers of their own, and why: what repeats is a job. The list only shrinks. */
const TIMERS_BECAUSE: Readonly<Record<string, string>> = {
  'src/app/create-app.ts': 'a stop ships for as long as it may',
  'src/cli/demo/send-stories.ts': 'a request of the demo is sent again',
  'src/ingest/erase/erase.ts': 'an erasure waits for events in flight',
  'src/jobs/timers.ts': 'jobs have them from here',
  'src/jobs/wait.ts': 'work that is waited for has a limit',
  'src/journal/open-journal.ts': 'wake-ups are coalesced',
  'src/processes/with-warehouse.ts': 'a command starts an engine again',
  'src/report/live/watch-live.ts': 'a look waits for events that are being shipped',
  'src/report/scheduler/fair-queue.ts': 'a query waits for as long as it may',
  'src/report/scheduler/query-scheduler.ts': 'a query waits for as long as it may',
  'src/server/connections/cut-off-unread.ts': 'a connection has a limit',
  'src/server/connections/limit-connections.ts': 'a connection has a limit',
  'src/warehouse/engine/engine-child.ts': 'an orphan waits for as long as it may',
  'src/warehouse/engine/engine-server.ts': 'a query is killed again until it is over',
};

describe('the house rules', () => {
  const files = readSourceFiles();

  it(`no file is longer than ${LINES_MAX} lines`, () => {
    const long = files
      .filter((file) => file.text.split('\n').length - 1 > LINES_MAX)
      .map((file) => file.path)
      .filter((path) => !LONG_FILES_ALLOWED.has(path));
    assert.deepEqual(long, []);
  });

  it('no folder or file is a drawer for odds and ends', () => {
    const drawers = files
      .map((file) => file.path)
      .filter((path) => /(^|[/-])(utils?|common|helpers?|lib|shared|misc)([/.-]|$)/.test(path));
    assert.deepEqual(drawers, []);
  });

  it('file names are kebab-case', () => {
    const odd = files
      .map((file) => file.path.split('/').at(-1) ?? '')
      .filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.tsx?$/.test(name));
    assert.deepEqual(odd, []);
  });

  it('there is no default export', () => {
    const found = files
      .filter((file) => /^export default/m.test(file.text))
      .map((file) => file.path);
    assert.deepEqual(found, []);
  });

  it('node:http is imported for its types only: its values load fetch too, 5 MB in each process', () => {
    const found = files
      .filter((file) => !isTest(file))
      .filter((file) => /^import (?!type\b)[^;]*from 'node:http';/m.test(file.text))
      .map((file) => file.path);
    assert.deepEqual(found, []);
  });

  it('requests to other servers pass one guard: whatever else asks, asks this machine or the server that a command names', () => {
    const asking = /(?<![\w.])fetch\(|'node:https'/;
    const found = files
      .filter(({ room }) => room !== 'dashboard' && room !== 'tracker')
      .filter((file) => !isTest(file) && asking.test(file.text));
    assert.deepEqual(found.map((file) => file.path).toSorted(), [
      'src/cli/demo/await-figures.ts',
      'src/cli/demo/send-stories.ts',
      'src/cli/stores/find-server.ts',
      'src/cli/warn-about-other-servers.ts',
      'src/enrich/guarded-request.ts',
      'src/mcp/ask-server.ts',
    ]);
  });

  it('timers are set by jobs, and by the few files that have a reason', () => {
    const found = files
      .filter(({ room }) => room !== 'dashboard' && room !== 'tracker')
      .filter((file) => !isTest(file) && /\bset(?:Timeout|Interval)\b/.test(file.text));
    assert.deepEqual(found.map(({ path }) => path).toSorted(), Object.keys(TIMERS_BECAUSE));
  });

  it('domain and report take the time as an argument, and no chance at all', () => {
    const found = files
      .filter((file) => ['domain', 'report'].includes(file.room) && !isTest(file))
      .filter((file) => /Date\.now|new Date\(\)|Math\.random|Temporal\.Now/.test(file.text))
      .map((file) => file.path);
    assert.deepEqual(found, []);
  });

  it('names use the field’s words', () => {
    const banned =
      /\b(?:session|user|hit|order|purchase|touchpoint|landing|sales|income|unique)s?[A-Z]\w*\b|\b\w+(?:Session|Hit|Purchase|Touchpoint|LandingPage)\b/;
    const declared = /\b(?:const|let|function|type|interface)\s+(\w+)/g;
    /** chDB's own class, the protocol's own header, what a browser is called, and who signs in. */
    const allowed = new Set([
      'userAgent',
      'userAgents',
      'userId',
      'userOf',
      'orderBy',
      'userAgentText',
    ]);
    const found = files.flatMap((file) =>
      [...file.text.matchAll(declared)]
        .map((match) => match[1] ?? '')
        .filter((name) => banned.test(name) && !allowed.has(name))
        .map((name) => `${file.path}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  it('functions are not called get, handle, process or manage', () => {
    const vague = /\bfunction\s+((?:get|handle|process|manage)[A-Z]\w*)/g;
    const found = files.flatMap((file) =>
      [...file.text.matchAll(vague)].map((match) => `${file.path}: ${match[1]}`),
    );
    assert.deepEqual(found, []);
  });

  it('every exported name has a doc comment', () => {
    const undocumented = files
      .filter((file) => !isTest(file))
      .flatMap((file) => undocumentedExportsOf(file.text).map((name) => `${file.path}: ${name}`));
    assert.deepEqual(undocumented, []);
  });

  it('nothing is left unfinished', () => {
    const marks = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X|not impl', 'emented'].join(''));
    const found = files
      .filter((file) => !isTest(file) && marks.test(file.text))
      .map((file) => file.path);
    assert.deepEqual(found, []);
  });

  it('no test is skipped or alone', () => {
    const mark = /\b(?:it|test|describe)\.(?:skip|only|todo)\(/;
    const tests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT });
    const found = tests.filter((path) => mark.test(readFileSync(join(ROOT, path), 'utf8')));
    assert.deepEqual(found, []);
  });
});

const EXPORTED = /^export (?:async )?(?:const|function|type|interface|class)\s+(\w+)/;

/** The interfaces of the ports are documented member by member; a type beside its schema is not again. */
function undocumentedExportsOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const name = EXPORTED.exec(line)?.[1];
    if (name === undefined) return [];
    const above = lines[index - 1]?.trim() ?? '';
    return above.endsWith('*/') || isTypeOfSchema(line) ? [] : [name];
  });
}

function isTypeOfSchema(line: string): boolean {
  return /^export type \w+ = Static</.test(line);
}
