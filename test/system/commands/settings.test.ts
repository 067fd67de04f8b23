import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { describe, it } from 'node:test';
import { parseSettings } from '#settings.ts';

function parsed(environment: Record<string, string>) {
  const settings = parseSettings(environment);
  assert.ok(settings.ok, settings.ok ? '' : settings.error);
  return settings.value;
}

describe('settings', () => {
  it('are complete without any', () => {
    const { engineMemoryBytes, ...others } = parsed({});
    assert.ok(engineMemoryBytes <= Math.max(totalmem() / 2, 512_000_000));
    assert.deepEqual(others, {
      host: '127.0.0.1',
      port: 8787,
      baseUrl: undefined,
      dataDir: './tributary-data',
      databaseUrl: undefined,
      clickhouseUrl: undefined,
      secretKey: undefined,
      trustedProxies: [],
      logLevel: 'info',
      rateLimitReads: 600,
      rateLimitWrites: 0,
      connectionsMax: 10_000,
      queryMaxMs: 10_000,
      journalMaxBytes: 10_000_000_000,
      archiveDays: undefined,
      geoipPath: undefined,
      ratesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
      dataCentreRanges: undefined,
      trustedApis: [],
      mail: undefined,
      oidc: undefined,
    });
  });

  it('take every value from the environment', () => {
    const environment = {
      HOST: '::',
      PORT: '0',
      BASE_URL: 'https://hi.example.com/',
      DATA_DIR: '/var/lib/tributary',
      DATABASE_URL: 'postgres://user:password@db:5432/tributary',
      CLICKHOUSE_URL: 'http://user:password@warehouse:8123/tributary',
      SECRET_KEY: '0123456789abcdef0123456789abcdef',
      ENGINE_MEMORY_MB: '3000',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      TRUSTED_PROVIDER_APIS: 'http://10.0.0.7:8080/v1, https://shop.internal',
      LOG_LEVEL: 'debug',
      RATE_LIMIT_READS: '0',
      RATE_LIMIT_WRITES: '5',
      CONNECTIONS_MAX: '100',
      QUERY_MAX_SECONDS: '55',
      JOURNAL_MAX_MB: '50',
      ARCHIVE_DAYS: '400',
      GEOIP_PATH: '/srv/city.mmdb',
      DATA_CENTRE_RANGES: '/srv/ranges.txt',
      RATES_URL: 'https://rates.example.com/eur.json',
      SMTP_URL: 'smtps://me:secret@mail.example.com:465',
      MAIL_FROM: 'tributary@example.com',
      OIDC_ISSUER: 'https://login.example.com/',
      OIDC_CLIENT_ID: 'tributary',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Tea Login',
    };
    assert.deepEqual(parsed(environment), {
      host: '::',
      port: 0,
      baseUrl: 'https://hi.example.com',
      dataDir: '/var/lib/tributary',
      databaseUrl: 'postgres://user:password@db:5432/tributary',
      clickhouseUrl: 'http://user:password@warehouse:8123/tributary',
      secretKey: '0123456789abcdef0123456789abcdef',
      engineMemoryBytes: 3_000_000_000,
      trustedProxies: ['10.0.0.0/8', '::1'],
      trustedApis: ['http://10.0.0.7:8080', 'https://shop.internal'],
      logLevel: 'debug',
      rateLimitReads: 0,
      rateLimitWrites: 5,
      connectionsMax: 100,
      queryMaxMs: 55_000,
      journalMaxBytes: 50_000_000,
      archiveDays: 400,
      geoipPath: '/srv/city.mmdb',
      dataCentreRanges: '/srv/ranges.txt',
      ratesUrl: 'https://rates.example.com/eur.json',
      mail: {
        smtpUrl: 'smtps://me:secret@mail.example.com:465',
        from: 'tributary@example.com',
      },
      oidc: {
        issuer: 'https://login.example.com',
        clientId: 'tributary',
        clientSecret: 'secret',
        name: 'Tea Login',
      },
    });
  });

  it('count an empty value as none', () => {
    assert.deepEqual(parsed({ PORT: '', BASE_URL: ' ' }), parsed({}));
  });

  it('fetch no rates if their URL is empty', () => {
    assert.deepEqual(parsed({ RATES_URL: ' ' }), { ...parsed({}), ratesUrl: undefined });
  });

  const refusals = [
    ['PORT', '65536', 'a whole number from 0 (any free port) to 65535'],
    ['PORT', '-1', 'a whole number'],
    ['PORT', '8787x', 'a whole number'],
    ['PORT', '1e3', 'a whole number'],
    ['HOST', 'http://localhost', 'an address or a host name'],
    ['BASE_URL', 'hi.example.com', 'an http or https URL'],
    ['BASE_URL', 'https://example.com/?a=b', 'without query'],
    ['CLICKHOUSE_URL', 'clickhouse://warehouse', 'an http or https URL'],
    ['ENGINE_MEMORY_MB', '100', 'a whole number of megabytes, at least 512'],
    ['CLICKHOUSE_CLUSTER', 'main', 'nothing: the warehouse is one engine or one server'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'a list of addresses and CIDRs'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy', 'a list of addresses and CIDRs'],
    ['LOG_LEVEL', 'verbose', 'one of trace, debug, info'],
    ['RATE_LIMIT_READS', 'off', 'or 0 for no limit'],
    ['RATE_LIMIT_WRITES', '-1', 'or 0 for no limit'],
    ['CONNECTIONS_MAX', '0', 'at least 1'],
    ['QUERY_MAX_SECONDS', '56', 'a whole number of seconds from 1 to 55'],
    ['JOURNAL_MAX_MB', '0', 'a whole number of megabytes, at least 1'],
    ['ARCHIVE_DAYS', 'forever', 'a whole number of days up to 36500'],
    ['RATES_URL', 'no', 'an http or https URL of a table of exchange rates, or empty for none'],
    ['SMTP_URL', 'http://mail.example.com', 'an smtp or smtps URL'],
    ['MAIL_FROM', 'nobody', 'an address'],
    ['OIDC_ISSUER', 'http://login.example.com', 'an https URL'],
    ['DATABASE_URL', 'mysql://db/tributary', 'the URL of a PostgreSQL database'],
  ] as const;
  for (const [name, value, allowed] of refusals) {
    it(`refuse ${name}=${value} in one line that says what is allowed`, () => {
      const settings = parseSettings({ [name]: value });
      const line = settings.ok ? '' : settings.error;
      assert.ok(line.startsWith(`${name} is ${value}; allowed is `), line);
      assert.ok(line.includes(allowed), line);
      assert.ok(!line.includes('\n'));
    });
  }

  it('never put a password into the refusal', () => {
    for (const password of ['secret', 'sec/ret', 's@ec:ret']) {
      const settings = parseSettings({ DATABASE_URL: `mysql://me:${password}@db/tributary` });
      assert.ok(!settings.ok);
      assert.match(settings.error, /mysql:\/\/…@db\/tributary/);
    }
    const settings = parseSettings({ SECRET_KEY: 'too short' });
    assert.equal(
      settings.ok ? '' : settings.error,
      'SECRET_KEY is …; allowed is a random text of at least 32 characters.',
    );
  });

  it('send mails only with an address of our own and one to send from', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    const refused = (more: Record<string, string>) => {
      const settings = parseSettings({ SMTP_URL, ...more });
      return settings.ok ? '' : settings.error;
    };
    assert.match(refused({ MAIL_FROM: 'a@example.com' }), /BASE_URL is not/);
    assert.match(refused({ BASE_URL: 'https://example.com' }), /MAIL_FROM is not/);
  });

  it('are all in the docs, and nothing else is', () => {
    const namesIn = (path: string, pattern: RegExp) =>
      [...readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(pattern)]
        .map((match) => match[1])
        .toSorted();
    const documented = namesIn('../../../docs/operations.md', /^\| `([A-Z_]+)`/gm);
    const read = [
      ...['settings', 'notify/mail-settings', 'accounts/oidc-settings'],
      ...['enrich/rates/rates-url', 'enrich/guarded-request'],
    ].flatMap((path) => namesIn(`../../../src/${path}.ts`, /read(?:Megabytes)?\(\s*'([A-Z_]+)'/g));
    assert.deepEqual(documented, read.toSorted());
  });
});
