import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';
import { installPacked, PACKAGES, type Packed, readManifest } from './pack-packages.ts';

const run = promisify(execFile);
/** What the packages ask their users to have, as it is installed here. */
const PEERS = ['better-auth', 'react', '@types/react', 'typescript', '@types/node'];

const USER = `
import { start, type TrackerOptions } from '@tributary/script';
import { forward } from '@tributary/proxy';
import { createTributary, TributaryError, visitorFrom, type Payment } from '@tributary/server';
import { TributaryScript } from '@tributary/next';
import { tributary } from '@tributary/better-auth';
import { tributaryClient } from '@tributary/better-auth/client';
import { betterAuth } from 'better-auth';

export const auth = betterAuth({ plugins: [tributary({ email: true })] });
export const plugin = tributaryClient();
export const options: TrackerOptions = { site: 'example.com', cookieless: 'gpc' };
export const element = TributaryScript({ ...options, nonce: undefined });
export const answer = (request: Request) => forward(request, { publicProxies: 1 });
export const goal = (request: Request) =>
  createTributary().goal({ service_visitor_id: visitorFrom(request), name: 'signup' });
const paid: Payment = { amount_minor: 1n, currency: 'EUR', transaction_id: 'tx-1' };
export const advice = async () => {
  try {
    return (await createTributary().payment(paid)).message;
  } catch (error) {
    return error instanceof TributaryError && error.type === 'timeout' ? error.advice : '';
  }
};
// @ts-expect-error two amounts
export const both: Payment = { ...paid, amount: 1 };
// @ts-expect-error a price without its currency
export const bare: Payment = { amount_minor: 1, transaction_id: 'tx-1' };
export const page = () => {
  start(options)('goal', 'signup', { plan: 'pro' });
  window.tributary?.('identify', { user_id: 7 });
  // @ts-expect-error no such verb
  window.tributary?.('sell', 'kettle');
};
`;

describe('what npm packs of each package', () => {
  let folder: string;
  let packed: ReadonlyMap<string, Packed>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-user-'));
    packed = await installPacked(folder);
    for (const peer of PEERS) {
      const to = join(folder, 'node_modules', peer);
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', peer), to);
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'user.ts'), USER);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is the built files, the licence, a README, and nothing else', (t) => {
    for (const [name, { size, files }] of packed) {
      t.diagnostic(`@tributary/${name}: ${(size / 1_000).toFixed(1)} KB on the wire`);
      const paths = files.map(({ path }) => path);
      const others = paths.filter((path) => !/^dist\/[\w-]+\.(?:js|d\.ts)$/.test(path));
      assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json'], name);
    }
  });

  it('is all that the exports name', () => {
    for (const name of PACKAGES) {
      for (const { types, default: code } of Object.values(readManifest(folder, name).exports)) {
        for (const path of [types, code]) {
          assert.ok(existsSync(join(folder, 'node_modules/@tributary', name, path)), path);
        }
      }
    }
  });

  for (const [module, resolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'bundler'],
  ]) {
    it(`has types that a user compiles with, as ${resolution} finds them`, async () => {
      const compilerOptions = {
        ...{ module, moduleResolution: resolution, target: 'ES2022', strict: true, noEmit: true },
        ...{ lib: ['ES2022', 'DOM'], types: ['node'], skipLibCheck: true },
        exactOptionalPropertyTypes: true,
      };
      const config = { compilerOptions, files: ['user.ts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const ended = run(process.execPath, [tsc, '-p', folder, '--preserveSymlinks']);
      await ended.catch(({ stdout }) => assert.fail(stdout));
    });
  }

  it('loads without what it does not name', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'tributary-bare-'));
    cpSync(join(folder, 'node_modules/@tributary'), join(elsewhere, 'node_modules/@tributary'), {
      recursive: true,
    });
    const code = `
      const { createTributary } = await import('@tributary/server');
      const { forward } = await import('@tributary/proxy');
      const { start } = await import('@tributary/script');
      const error = await createTributary({ url: '' }).goal({ service_visitor_id: 'a', name: 'b' }).catch((e) => e);
      console.log(error.type, typeof forward, typeof start);`;
    const args = ['--input-type=module', '-e', code];
    const { stdout } = await run(process.execPath, args, { cwd: elsewhere });
    rmSync(elsewhere, { recursive: true });
    assert.equal(stdout, 'misconfigured function function\n');
  });
});
