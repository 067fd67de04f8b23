import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFleeting } from './find-fleeting.ts';

const ROOT = '1 0 254:0 / / rw,relatime - ext4 /dev/vda rw';
const LAYER = '1 0 0:50 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/a';
const HEX = '9f'.repeat(32);

describe('a folder that does not outlive its container', () => {
  const cases: readonly (readonly [
    what: string,
    mounts: readonly string[],
    found: RegExp | undefined,
  ])[] = [
    ['a disk', [ROOT], undefined],
    ['the layer of a container', [LAYER], /deleted with this container/],
    ['memory', [ROOT, '2 1 0:9 / /data rw - tmpfs tmpfs rw'], /in memory/],
    [
      'a named volume',
      [
        LAYER,
        '2 1 254:0 /docker/volumes/tributary/_data /data rw master:1 shared:2 - ext4 /dev/vda rw',
      ],
      undefined,
    ],
    [
      'a volume without a name',
      [LAYER, `2 1 254:0 /var/lib/docker/volumes/${HEX}/_data /data rw - ext4 /dev/vda rw`],
      /without a name/,
    ],
    ['a folder of the host', [LAYER, '2 1 254:0 /srv/t /data rw - ext4 /dev/vda rw'], undefined],
    ['another folder’s mount', [LAYER, '2 1 254:0 /srv/t /data2 rw - ext4 /dev/vda rw'], /deleted/],
    ['a mount below', [LAYER, '2 1 254:0 / /data/in rw - ext4 /dev/vda rw'], /deleted/],
    [
      'a mount over a mount',
      [ROOT, '2 1 0:9 / /data rw - tmpfs t rw', '3 2 8:1 / /data rw - ext4 /dev/b rw'],
      undefined,
    ],
    ['a system that does not say', [], undefined],
  ];
  for (const [what, mounts, found] of cases) {
    it(`is ${found === undefined ? 'not ' : ''}found in ${what}`, () => {
      const why = findFleeting('/data/.', mounts);
      if (found === undefined) assert.equal(why, undefined);
      else assert.match(why ?? '', found);
    });
  }

  it('is found below a name with spaces', () => {
    assert.match(
      findFleeting('/my data', [ROOT, '2 1 0:9 / /my\\040data rw - tmpfs t rw']) ?? '',
      /in memory/,
    );
  });
});
