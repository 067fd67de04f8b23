import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readDataCentres } from './data-centres.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-ranges-'));
after(() => rmSync(folder, { recursive: true }));

function rangesOf(text: string) {
  const path = join(folder, 'ranges.txt');
  writeFileSync(path, text);
  return readDataCentres(path);
}

describe('addresses of data centres', () => {
  it('are none without a file', () => {
    const none = readDataCentres(undefined);
    assert.equal(none.ranges, 0);
    assert.equal(none.has('203.0.113.9'), false);
  });

  it('are those of the ranges, of both families, despite comments', () => {
    const found = rangesOf(
      '# mine\n203.0.113.0/24 example cloud\n\n198.51.100.7,one\r\n2001:db8:1::/48 # six\n',
    );
    assert.equal(found.ranges, 3);
    const inside = ['203.0.113.9', '198.51.100.7', '2001:db8:1::5', '2001:DB8:1:0::5'];
    for (const address of inside) assert.equal(found.has(address), true, address);
    const outside = ['203.0.114.9', '198.51.100.8', '2001:db8:2::5', '', 'nonsense'];
    for (const address of outside) assert.equal(found.has(address), false, address);
  });

  for (const line of ['203.0.113.0/33', '203.0.113', 'example.com', '::1/129', '10.0.0.0/8/8']) {
    it(`refuse the line ${line}, and say which it is`, () => {
      assert.throws(
        () => rangesOf(`10.0.0.0/8\n${line}\n`),
        /DATA_CENTRE_RANGES .*line 2 is neither/,
      );
    });
  }

  it('refuse a missing file, naming the setting', () => {
    assert.throws(() => readDataCentres(join(folder, 'absent')), /DATA_CENTRE_RANGES .*ENOENT/);
  });
});
