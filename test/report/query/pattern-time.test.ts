import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PATTERN_COST_MAX } from '#report/query/parse/parse-filter.ts';
import { patternCost } from '#report/query/parse/pattern-cost.ts';
import { findWildcardFault, toRegularExpression } from '#report/query/wildcard.ts';
import { openReportEngine, type ReportEngine } from '../../worlds/open-report-engine.ts';

const TIME_MAX_MS = 300;
const TRIES = 8;
const ROWS = 10_000;
const LENGTH_MAX = 500;

/** Paths of several languages, most of them different. */
const PATHS = `
  SELECT concat('/', ['blog', 'quiche', 'über-uns', 'ru/каталог', '日本/カタログ'][1 + number % 5], '/',
    arrayStringConcat(arrayMap(part -> ['alpha', 'beta', 'a', 'b', 'ab', 'ba', 'aab', 'список', '茶', '-']
      [1 + sipHash64(number, part) % 10], range(6))), '-', toString(number)) AS path
  FROM numbers(${ROWS})`;

/** Letters of many scripts, none of them adjacent. */
const FAR_APART = String.fromCodePoint(
  ...Array.from({ length: 230 }, (_, at) => 0x100 + at * 0xab),
);

/** Patterns that cost the more, the more often a part of them is repeated. */
const HOSTILE: readonly ((times: number) => string)[] = [
  (n) => `a.{${n}}z`,
  (n) => `.*a.{${n}}z`,
  (n) => `a${'.'.repeat(n)}!`,
  (n) => `a.{0,${n}}!`,
  (n) => `a(.?){${n}}!`,
  (n) => `a(.|..){${n}}!`,
  (n) => `a(a|b|.){${n}}!`,
  (n) => `a(a|b){${n}}z`,
  (n) => `a${'(a|b)'.repeat(n)}z`,
  (n) => `a(aa|ab|ba|bb){${n}}c`,
  (n) => `[ab]*a[ab]{${n}}c`,
  (n) => `a[^/]{${n}}z`,
  (n) => `a\\w{${n}}\\.`,
  (n) => `a\\S{${n}}!`,
  (n) => `a\\C{${n}}!`,
  (n) => `\\pL{${n}}`,
  (n) => `(\\pL|\\pN|\\pS){${n}}N`,
  (n) => `а\\pL{${n}}!`,
  (n) => `a\\PL{${n}}!`,
  (n) => '\\pL*\\pN*'.repeat(n),
  (n) => `(\\pL*!){${n}}`,
  (n) => `${'\\PL*\\pL*'.repeat(n)}q`,
  (n) => `${'\\w*\\pL*'.repeat(n)}q`,
  (n) => `${'\\p{L}*'.repeat(n)}q`,
  (n) => `${'\\pL{0,}\\pN*'.repeat(n)}q`,
  (n) => `${'(\\pL*|\\PL*)'.repeat(n)}q`,
  (n) => `a[\\pL\\pN\\pS\\pP\\pZ\\pM]{${n}}!`,
  (n) => `а[а-яα-ω漢-語]{${n}}!`,
  (n) => `[${FAR_APART}]{${n}}`,
  (n) => `a[^${FAR_APART}]{${n}}!`,
  (n) => `${'a?'.repeat(n)}a{${n}}`,
  (n) => `(.*a.){${n}}z`,
  (n) => `${'(.+)+'.repeat(n)}!`,
  (n) => `(?i)a[a-z]{${n}}!`,
];

describe('regular expressions that a query may have', () => {
  let engine: ReportEngine;
  before(async () => {
    engine = await openReportEngine();
    const table = `CREATE TABLE visits (path String) ENGINE = MergeTree ORDER BY () AS ${PATHS}`;
    await engine.warehouse.command({ sql: table });
  });
  after(() => engine.close());

  for (const write of HOSTILE) {
    it(`take no longer than others: ${write(9).slice(0, 30)}`, async () => {
      const most = findMost((times) => [write(times)]);
      await assertQuick([write(most)]);
    });
  }

  it('take no longer if there are many', async () => {
    for (const write of HOSTILE.slice(0, 9)) {
      const several = (times: number) =>
        Array.from({ length: 5 }, (_, at) => `${write(times)}${at}`);
      await assertQuick(several(findMost(several)));
    }
  });

  it('take no longer as wildcards', async () => {
    for (const part of ['*', '*a', '**a', '*/', 'a*b', '*а']) {
      const texts = Array.from({ length: LENGTH_MAX }, (_, times) => `/${part.repeat(times)}q`);
      const most = texts.findLast((text) => findWildcardFault(text) === undefined) ?? '';
      const patterns = Array.from({ length: 50 }, (_, at) =>
        toRegularExpression(most.slice(0, LENGTH_MAX), at % 2 === 0),
      );
      await assertQuick(patterns);
    }
  });

  /** Asserts the processor time of this process, whose threads the engine's are, as the machine may be busy. */
  async function assertQuick(patterns: readonly string[]): Promise<void> {
    const conditions = patterns.map((_, at) => `match(path, {p${at}:String})`);
    const sql = `SELECT count() AS n FROM visits WHERE ${conditions.join(' OR ')}
      SETTINGS use_query_condition_cache = 0`;
    const params = Object.fromEntries(patterns.map((pattern, at) => [`p${at}`, pattern]));
    let least = Number.POSITIVE_INFINITY;
    for (let tried = 0; tried < TRIES && least > TIME_MAX_MS; tried += 1) {
      const before = process.cpuUsage();
      await engine.report.select({ sql, params });
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    assert.ok(least <= TIME_MAX_MS, `${least.toFixed(0)} ms for ${patterns[0]}`);
  }
});

/** How often the part may be repeated. */
function findMost(write: (times: number) => readonly string[]): number {
  const isAllowed = (times: number) => {
    const patterns = write(times);
    const cost = patterns.reduce((sum, pattern) => sum + patternCost(pattern), 0);
    return cost <= PATTERN_COST_MAX && patterns.every(({ length }) => length <= LENGTH_MAX);
  };
  let most = 1;
  while (isAllowed(most + 1) && most < 1_000) most += 1;
  assert.ok(isAllowed(most), `${write(most)[0]}`);
  return most;
}
