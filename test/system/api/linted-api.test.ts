import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { shareServer } from '../../server/share-server.ts';

/** Spectral's number for an error; warnings have a higher one. */
const ERROR_SEVERITY = 0;

describe('the description of the API', () => {
  let text: string;

  before(async () => {
    const server = await shareServer();
    text = await (await fetch(`${server.url}/openapi.json`)).text();
  });

  it('breaks no recommended rule of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    const errors = problems.filter(({ severity }) => severity === 'error');
    assert.deepEqual(
      errors.map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
      [],
    );
    const broken = text.replaceAll('"operationId":"query"', '"operationId":"queryFunnel"');
    const found = await lintFromString({ source: broken, config });
    assert.ok(found.some(({ ruleId }) => ruleId === 'operation-operationId-unique'));
  });

  it('breaks no recommended rule of Spectral', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] });
    const errorsOf = async (source: string) =>
      (await linter.run(source))
        .filter(({ severity }) => severity === ERROR_SEVERITY)
        .map(({ path, message }) => `${path.join('/')}: ${message}`);
    assert.deepEqual(await errorsOf(text), []);
    const broken = text.replaceAll('"operationId":"query"', '"operationId":"queryFunnel"');
    assert.notDeepEqual(await errorsOf(broken), []);
  });

  it('names each shape once', () => {
    const { components } = JSON.parse(text);
    for (const name of ['Error', 'Money', 'Payment', 'QueryRow', 'Site']) {
      assert.ok(components.schemas[name], name);
    }
    assert.ok(text.length < 300_000, `${text.length} bytes`);
  });
});
