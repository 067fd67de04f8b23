import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ViewFilter } from '../../format/dimensions.ts';
import { formatIn } from '../../format/intl-forms.ts';
import { toTypedFilter } from './typed-filter.ts';

before(() => formatIn('en'));
after(() => formatIn());

const ABOUT = '/%C3%BCber-uns/team';

function typed(
  text: string,
  found: readonly string[],
  { operator = 'is', dimension = 'visit:source', values = [] }: Partial<ViewFilter> = {},
): string | undefined {
  const filter = toTypedFilter({ operator, dimension, values }, text, found);
  return filter && [filter.operator, ...filter.values].join(' ');
}

const PAGE = { dimension: 'event:page' };
const COUNTRY = { dimension: 'visit:country' };

describe('a filter by what is typed', () => {
  it('takes the only value that has the text', () => {
    assert.equal(typed('über', [ABOUT], PAGE), `is ${ABOUT}`);
    assert.equal(typed('NEWS', ['Newsletter']), 'is Newsletter');
    assert.equal(typed('germ', ['DE'], COUNTRY), 'is DE');
    assert.equal(typed('news', ['Newsletter'], { operator: 'is_not' }), 'is_not Newsletter');
  });

  it('takes the value that people see so, in any case, of several', () => {
    assert.equal(typed('/Über-uns/team', [`${ABOUT}/a`, ABOUT], PAGE), `is ${ABOUT}`);
    assert.equal(typed(ABOUT, [`${ABOUT}/a`, ABOUT], PAGE), `is ${ABOUT}`);
    assert.equal(typed('news', ['Newsletter', 'News', 'news'], {}), 'is news');
    assert.equal(typed('niger', ['NG', 'NE'], COUNTRY), 'is NE');
  });

  it('finds all that contain the text where several do, or none yet', () => {
    assert.equal(typed('Über', [ABOUT, `${ABOUT}/a`], PAGE), 'contains %C3%BCber');
    assert.equal(typed('Über', [], PAGE), 'contains %C3%9Cber');
    assert.equal(typed('news', ['Newsletter', 'News 24']), 'contains news');
    assert.equal(typed('Bing', []), 'contains Bing');
    assert.equal(typed('Bing', [], { operator: 'is_not' }), 'contains_not Bing');
  });

  it('keeps what is chosen', () => {
    const google = { values: ['Google'] };
    assert.equal(typed('', [], google), 'is Google');
    assert.equal(typed('bing', ['Bing'], google), 'is Google Bing');
    assert.equal(typed('Atlantis', [], google), 'is Google Atlantis');
    assert.equal(typed('Google', ['Google', 'Google News'], google), 'is Google');
    assert.equal(typed('Atlantis', [], { ...COUNTRY, values: ['DE'] }), 'is DE');
  });

  it('takes a pattern as it is, in paths as they are stored', () => {
    assert.equal(typed('news', ['Newsletter'], { operator: 'contains' }), 'contains news');
    const wildcard = { ...PAGE, operator: 'matches_wildcard' } as const;
    assert.equal(typed('/café/**', [], wildcard), 'matches_wildcard /caf%C3%A9/**');
    assert.equal(typed('signup', [], { operator: 'has_done' }), 'has_done signup');
  });

  it('is none without a text or a value, or with a name of no code', () => {
    assert.equal(typed('', []), undefined);
    assert.equal(typed('Atlantis', [], COUNTRY), undefined);
    assert.equal(typed('Aust', ['AT', 'AU'], COUNTRY), undefined);
  });
});
