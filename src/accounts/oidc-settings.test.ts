import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSettings } from '#settings.ts';

const WHOLE = {
  OIDC_ISSUER: 'https://login.example.com/',
  OIDC_CLIENT_ID: 'tributary',
  OIDC_CLIENT_SECRET: 'secret',
  BASE_URL: 'https://figures.example',
};

describe('the settings of an identity provider', () => {
  it('are taken together', () => {
    const settings = parseSettings(WHOLE);
    assert.deepEqual(settings.ok && settings.value.oidc, {
      ...{ issuer: 'https://login.example.com', name: 'single sign-on' },
      ...{ clientId: 'tributary', clientSecret: 'secret' },
    });
  });

  it('are refused when one is missing, and it is said which', () => {
    for (const missing of Object.keys(WHOLE)) {
      const settings = parseSettings({ ...WHOLE, [missing]: '' });
      assert.ok(!settings.ok && settings.error.includes(missing), missing);
    }
    assert.equal(parseSettings({ BASE_URL: WHOLE.BASE_URL }).ok, true);
  });

  it('are refused without https, but for this machine', () => {
    const isOk = (issuer: string) => parseSettings({ ...WHOLE, OIDC_ISSUER: issuer }).ok;
    assert.equal(isOk('http://login.example.com'), false);
    assert.equal(isOk('http://127.0.0.1:9000'), true);
    assert.equal(isOk('login.example.com'), false);
  });
});
