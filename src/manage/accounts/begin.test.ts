import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Accounts, openAccounts } from '#accounts/open-accounts.ts';
import { createServer } from '#server/create-server.ts';
import { addBeginRoutes } from './begin.ts';

const KNOWN = 'anna@example.com';
const UNKNOWN = 'nobody@example.com';

describe('a request for a reset link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  const path = join(folder, 'accounts.sqlite');
  const done: string[] = [];
  let accounts: Accounts;
  let server: ReturnType<typeof createServer>;

  before(async () => {
    accounts = await openAccounts({ location: path, baseUrl: undefined });
    const token = (await accounts.makeStartLink()) ?? '';
    await accounts.start(token, { name: 'Anna', email: KNOWN, password: 'correct horse battery' });
    const mailer = {
      send({ to }: { readonly to: string }) {
        done.push(`mail to ${to}`);
        return new Promise<void>(() => {}); // The mail server never answers.
      },
    };
    server = createServer({ logLevel: 'silent', trustedProxies: [] });
    server.addHook('onResponse', (_request, _reply, next) => {
      done.push('answer');
      next();
    });
    addBeginRoutes(server, {
      accounts,
      mailer,
      baseUrl: 'http://figures.example',
      oidc: undefined,
    });
  });
  beforeEach(() => done.splice(0));
  after(async () => {
    await server.close();
    await accounts.close();
    rmSync(folder, { recursive: true });
  });
  const ask = (email: string) =>
    server.inject({ method: 'POST', url: '/api/reset/request', payload: { email } });

  it('is answered before its mail is begun, with or without a login', async () => {
    const answers = [await ask(UNKNOWN), await ask(KNOWN)];
    await new Promise(setImmediate);
    assert.deepEqual(done, ['answer', 'answer', `mail to ${KNOWN}`]);
    const [unknown, known] = answers.map(({ statusCode, body }) => ({ statusCode, body }));
    assert.deepEqual(unknown, known);
  });

  it('is as much work without a login as with one', async () => {
    const other = new DatabaseSync(path);
    const version = () => other.prepare('PRAGMA data_version').get()?.data_version;
    const links = () => Number(other.prepare('SELECT count(*) AS n FROM links').get()?.n);
    const work = async (email: string) => {
      const [before, commits] = [links(), version()];
      assert.equal((await ask(email)).statusCode, 200);
      return { written: links() - before, committed: version() !== commits };
    };
    assert.deepEqual(await work(UNKNOWN), await work(KNOWN));
    assert.equal(await accounts.makeResetLink(UNKNOWN), undefined);
    other.close();
  });
});
