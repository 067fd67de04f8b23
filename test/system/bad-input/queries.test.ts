import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RefusingServer, SITE, shareRefusingServer } from './refusing-server.ts';

const PATH = '/api/v1/query';
const GOOD = { site_id: SITE, metrics: ['visitors'], date_range: '7d' };

describe('a query is refused', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  const cases: readonly [rule: string, body: unknown, ...paths: string[]][] = [
    ['when it is a list', [GOOD], ''],
    ['when it is null', 'null', ''],
    ['without anything', {}, '/site_id', '/metrics', '/date_range'],
    ['with a number as site', { ...GOOD, site_id: 7 }, '/site_id'],
    [
      'with faults of every kind, naming each',
      {
        site_id: SITE,
        metrics: ['visitors', 'hits'],
        dimensions: ['visit:planet'],
        date_range: 'soon',
        timezone: 'Mars/Olympus',
        filters: [['resembles', 'visit:source', ['x']]],
        pagination: { limit: 0 },
        attribution: { lookback_days: 0 },
        colour: 'red',
      },
      ...['/metrics/1', '/dimensions/0', '/date_range', '/timezone', '/filters/0/0'],
      ...['/pagination/limit', '/attribution/lookback_days', '/colour'],
    ],
    [
      'with malformed metrics, which order_by may have named',
      { ...GOOD, metrics: 'visitors', order_by: [['visitors', 'asc']], timezone: 'x' },
      ...['/metrics', '/timezone'],
    ],
  ];
  for (const [rule, body, ...paths] of cases) {
    it(rule, async () => {
      await tributary.assertRefused({ path: PATH, body }, { type: 'invalid_request', paths });
    });
  }

  /** Nested filters, with this many levels in all. */
  const nested = (levels: number): unknown[] =>
    levels === 1
      ? ['is', 'visit:source', ['Google']]
      : [levels % 2 === 0 ? 'and' : 'or', [nested(levels - 1)]];
  it('when its filters nest too deep, and not before', async () => {
    const filtered = (levels: number) => ({ ...GOOD, filters: [nested(levels)] });
    const paths = [`/filters/0${'/1/0'.repeat(8)}`];
    const type = 'invalid_request';
    await tributary.assertRefused({ path: PATH, body: filtered(9) }, { type, paths });
    assert.notEqual((await tributary.send({ path: PATH, body: filtered(8) })).code, 400);
  });

  const told: readonly [rule: string, changes: object, message: RegExp][] = [
    ['a date range', { date_range: 7 }, /at \/date_range: must be `day`, `today`.* an array of /],
    [
      'a lookback',
      { attribution: { lookback_days: 0 } },
      /at \/attribution\/lookback_days: must be a whole number of days from 1 to 730.* null /,
    ],
    [
      'a metric',
      { metrics: ['hits'] },
      /at \/metrics\/0: "hits" is not a metric\. Known: .*[^.]\.$/,
    ],
  ];
  for (const [what, changes, message] of told) {
    it(`and told what ${what} can be`, async () => {
      const { body } = await tributary.send({ path: PATH, body: { ...GOOD, ...changes } });
      assert.match((body.error as { message: string }).message, message);
    });
  }

  it('but not for the case of its domain', async () => {
    const answer = await tributary.send({
      path: PATH,
      body: { ...GOOD, site_id: SITE.toUpperCase() },
    });
    assert.notEqual(answer.code, 403);
    assert.notEqual(answer.code, 400);
  });
});
