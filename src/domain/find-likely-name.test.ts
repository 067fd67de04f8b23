import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLikelyName } from './find-likely-name.ts';

const NAMES = [
  ...['HOST', 'PORT', 'BASE_URL', 'DATA_DIR', 'CLICKHOUSE_URL', 'TRUSTED_PROXIES', 'LOG_LEVEL'],
  ...['RATE_LIMIT_READS', 'CONNECTIONS_MAX', 'JOURNAL_MAX_MB', 'ARCHIVE_DAYS', 'GEOIP_PATH'],
];

describe('the name that was meant', () => {
  const meant = [
    ['TRUST_PROXY', 'TRUSTED_PROXIES'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRIBUTARY_PORT', 'PORT'],
    ['data_dir', 'DATA_DIR'],
    ['DATADIR', 'DATA_DIR'],
    ['DATA_DIRECTORY', undefined],
    ['BASEURL', 'BASE_URL'],
    ['BASE_URI', 'BASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['CLICKHOUSE_USER', 'CLICKHOUSE_URL'],
    ['MAX_CONNECTIONS', 'CONNECTIONS_MAX'],
    ['RATE_LIMIT_READ', 'RATE_LIMIT_READS'],
    ['ARCHIVE_DAY', 'ARCHIVE_DAYS'],
  ] as const;
  for (const [written, name] of meant) {
    it(`of ${written} is ${name ?? 'not known'}`, () => {
      assert.equal(findLikelyName(written, NAMES), name);
    });
  }

  const others = ['HOME', 'HOSTNAME', 'PATH', 'PWD', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'USER'];
  it('is none for what every shell has', () => {
    for (const name of [...others, 'NODE_ENV', 'TRIBUTARY_KEY', 'TRIBUTARY_URL', 'REDIS_URL']) {
      assert.equal(findLikelyName(name, NAMES), undefined, name);
    }
  });
});
