import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findMistakenSettings, parseSettings } from '#settings.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { readComposeFile } from './read-compose.ts';
import { readDockerfile } from './read-dockerfile.ts';

describe('compose.yaml', () => {
  const { services, volumes, networks } = readComposeFile();
  const image = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).at(-1);

  it('sets settings that there are, with allowed values', () => {
    const variables: Record<string, string> = {
      DOMAIN: 'hi.example.com',
      DATABASE_URL: 'postgres://tributary:secret@postgres:5432/tributary',
      SMTP_URL: 'smtps://mail.example.com',
      MAIL_FROM: 'hi@example.com',
    };
    const environment = Object.fromEntries(
      Object.entries(services.tributary.environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable) => variables[variable] ?? ''),
      ]),
    );
    const settings = parseSettings({ ...image?.env, ...environment });
    assert.ok(settings.ok, settings.ok ? '' : settings.error);
    assert.equal(settings.value.baseUrl, 'https://hi.example.com');
    assert.equal(settings.value.mail?.from, 'hi@example.com');
    assert.deepEqual(findMistakenSettings({ ...image?.env, ...environment }), []);
  });

  it('trusts the network that Caddy sends from, where nothing else listens', () => {
    const [subnet] = networks.inside.ipam.config;
    assert.equal(services.tributary.environment.TRUSTED_PROXIES, subnet?.subnet);
    assert.equal(services.caddy.environment.UPSTREAM, `tributary:${image?.env.PORT}`);
    assert.equal('ports' in services.tributary, false);
  });

  it('keeps what the image writes in a named volume, and runs PostgreSQL only when asked', () => {
    assert.equal(services.tributary.read_only, true);
    assert.deepEqual(services.tributary.volumes, [`tributary:${image?.volume}`]);
    assert.deepEqual(Object.keys(volumes), ['tributary', 'caddy', 'postgres']);
    assert.deepEqual(services.postgres.profiles, ['postgres']);
    const [caddyfile = ''] = services.caddy.volumes;
    assert.ok(existsSync(join(ROOT, caddyfile.split(':')[0] ?? '')));
  });
});
