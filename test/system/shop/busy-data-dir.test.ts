import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPathsOf } from '#processes/paths.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { startServer } from '../../server/start-server.ts';
import { copyShopForEach } from './stopped-shop.ts';

describe('the command rebuild, where somebody else is at work', () => {
  const copied = copyShopForEach();

  it('refuses while a server runs, and says so', async () => {
    const server = await startServer({ dataDir: copied.shop.dataDir });
    const { code, stdout, stderr } = await copied.shop.rebuild('--json');
    await server.stop();
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^tributary: A server is running on .*: stop it, then rebuild\.\n$/);
  });

  it('refuses while another command is at work, and takes it for no server', async () => {
    const lock = takeProcessLock(dataPathsOf(copied.shop.dataDir).serveLock, 0);
    const { code, stderr } = await copied.shop.rebuild();
    lock?.release();
    assert.equal(code, 1);
    assert.match(stderr, /^tributary: A command such as verify or another rebuild is using /);
  });
});

describe('a start', () => {
  const copied = copyShopForEach();

  it('waits a moment for the server that is just ending', async () => {
    const lock = takeProcessLock(dataPathsOf(copied.shop.dataDir).serveLock, 0);
    assert.ok(lock);
    const starting = startServer({ dataDir: copied.shop.dataDir });
    await sleep(1_000);
    lock.release();
    await (await starting).stop();
  });

  it('refuses while another server runs, and says so', async () => {
    const server = await startServer({ dataDir: copied.shop.dataDir });
    await assert.rejects(
      startServer({ dataDir: copied.shop.dataDir }),
      /Another server is already running on /,
    );
    await server.stop();
  });
});
