import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Connection } from '#domain/site/connection.ts';
import { changeConnection, connect, type GivenFields } from '#providers/connections/connect.ts';
import { toProviderConnection } from '#providers/connections/describe.ts';
import { createOpenSecrets } from '#providers/connections/open-secrets.ts';
import { makeLedgerForEachTest } from '../ledger/ledger-of-test.ts';

const [KEY, ANOTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const SECRET = 'whsec_0123456789abcdef01';

describe('a connection whose secrets another key encrypted', () => {
  const own = makeLedgerForEachTest();
  const portsOf = (key: Buffer) => ({ ledger: own.ledger, key: () => key, now: () => own.clock });

  async function begin(): Promise<Connection> {
    const { ledger } = own;
    const site = await ledger.addSite({ domain: 'example.com', timezone: 'UTC', currency: 'EUR' });
    assert.ok(site.ok);
    const asked = { siteId: site.value.id, provider: 'stripe' };
    const made = await connect(portsOf(KEY), { ...asked, fields: { signing_secret: SECRET } });
    assert.ok(made.ok);
    return made.value;
  }

  async function change(connection: Connection, fields: GivenFields): Promise<Connection> {
    const changed = await changeConnection(portsOf(ANOTHER), connection, { name: 'Tea', fields });
    assert.ok(changed.ok);
    return changed.value;
  }

  const open = (connection: Connection, key: Buffer) =>
    createOpenSecrets(() => key)(connection, own.clock);

  it('says what to do, and what it needs', async () => {
    const connection = await begin();
    const secrets = open(connection, ANOTHER);
    assert.deepEqual(secrets.signingSecrets, []);
    const { missing, last_error: error } = toProviderConnection(connection, secrets, 'https://x');
    assert.deepEqual(missing, ['signing_secret']);
    assert.match(error ?? '', /SECRET_KEY, or the file secrets\.key .* give the secrets again\.$/);
  });

  it('works again with secrets that are given again', async () => {
    const changed = await change(await begin(), { signing_secret: `${SECRET}2` });
    assert.deepEqual(open(changed, ANOTHER).signingSecrets, [`${SECRET}2`]);
    assert.equal(open(changed, ANOTHER).fault, undefined);
  });

  it('keeps them while only something else changes, for the key that may come back', async () => {
    const changed = await change(await begin(), { account: 'acct_1' });
    assert.equal(changed.name, 'Tea');
    assert.deepEqual(open(changed, KEY).signingSecrets, [SECRET]);
    const elsewhere = { fields: { base_url: 'https://evil.example' } };
    const refused = await changeConnection(portsOf(ANOTHER), changed, elsewhere);
    assert.ok(!refused.ok && /must be given again/.test(refused.error.message));
  });
});
