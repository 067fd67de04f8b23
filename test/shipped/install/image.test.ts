import assert from 'node:assert/strict';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerOf } from '../../server/caller.ts';
import { isReady } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { buildImage, findBuildLack, type Image } from './build-image.ts';
import { type Container, type ContainerOptions, idOf, runContainer } from './run-container.ts';

const SITE = 'shop.example';
/** Debian's temporary folder that is a disk: layers cannot lie in memory. */
const TEMPORARY = '/var/tmp';
const lack = findBuildLack();

describe('the image', { skip: lack ?? false }, () => {
  const folder = mkdtempSync(join(TEMPORARY, 'tributary-image-'));
  const left: Container[] = [];
  let image: Image;

  before(async () => {
    image = await buildImage(folder);
  });
  after(async () => {
    for (const container of left) {
      await endHard(container);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  function start(options: ContainerOptions): Container {
    const container = runContainer(image, folder, options);
    left.push(container);
    return container;
  }

  /** A volume as Docker makes it: a folder like the image's own. */
  function makeVolume(name: string): string {
    const volume = join(folder, 'volumes', name, '_data');
    mkdirSync(volume, { recursive: true });
    const like = statSync(join(image.layers[0] ?? '', image.stage.volume ?? ''));
    chownSync(volume, like.uid, like.gid);
    return volume;
  }

  async function untilServing(container: Container): Promise<string> {
    const url = await container.url;
    assert.ok(url, container.said());
    await waitUntil(
      () => isReady(url),
      (ready) => ready,
    );
    return url;
  }

  async function countPaid(url: string, key: string): Promise<unknown> {
    const query = { metrics: ['visitors', 'payments', 'revenue'] };
    const answer = await waitUntil(
      () => callerOf(url, SITE, key).query(query),
      ({ status }) => status === 200,
    );
    return (answer.body as { results: { metrics: unknown[] }[] }).results[0]?.metrics;
  }

  describe('in a container with a volume, a read-only root and a user without rights', () => {
    let volume: string;
    let key: string;
    const PAID = [1, 1, { value: '29.99', currency: 'USD' }];

    it('serves, is healthy, and records', async () => {
      volume = makeVolume('tributary');
      const container = start({ volume });
      const url = await untilServing(container);
      const user = (await container.exec(['id', '-u'])).trim();
      assert.equal(user, idOf(image.stage.user, image.layers));
      assert.notEqual(user, '0');
      const port = new URL(url).port;
      await container.exec(['env', `PORT=${port}`, ...image.stage.healthCheck]);
      await assert.rejects(container.exec(['env', 'PORT=9', ...image.stage.healthCheck]));
      await container.exec(['tributary', 'site', 'add', SITE, '--currency', 'USD']);
      const created = await container.exec([
        'tributary',
        'key',
        'create',
        '--site',
        SITE,
        '--json',
      ]);
      key = JSON.parse(created).key;
      const caller = callerOf(url, SITE, key);
      const pageview = () => caller.pageview('ada');
      await waitUntil(pageview, ({ body }) => (body as { accepted: number }).accepted === 1);
      const payment = { transaction_id: 'tx-1', amount: 29.99, currency: 'USD' };
      assert.equal((await caller.payment({ ...payment, service_visitor_id: 'ada' })).status, 200);
      container.kill('SIGKILL');
      assert.notEqual(await container.ended, 0);
    });

    it('finds its data again after kill -9, and ends in order on SIGTERM', async () => {
      const container = start({ volume });
      const url = await untilServing(container);
      await waitUntil(
        () => countPaid(url, key),
        (found) => JSON.stringify(found) === JSON.stringify(PAID),
      );
      container.kill('SIGTERM');
      assert.equal(await container.ended, 0, container.said());
      const logged = container.said().split('\n');
      // On a busy machine, what waits may be shipped before the warehouse is ready.
      const warnings = logged.filter((line) => !line.includes('A shipment failed'));
      assert.doesNotMatch(warnings.join('\n'), /"level":[45]0/);
    });

    it('finds its data again however it was killed while it started', async () => {
      for (const [signal, afterMs] of [
        ['SIGKILL', 100],
        ['SIGKILL', 400],
        ['SIGKILL', 800],
        ['SIGTERM', 300],
        ['SIGTERM', 900],
      ] as const) {
        const container = start({ volume });
        await sleep(afterMs);
        container.kill(signal);
        if (signal === 'SIGTERM') await Promise.race([container.ended, container.url]);
        await endHard(container);
      }
      const container = start({ volume });
      const url = await untilServing(container);
      assert.deepEqual(await countPaid(url, key), PAID);
      await endHard(container);
    });
  });

  describe('says in one line what is wrong', () => {
    /** What it says when it ends at once, without having changed anything. */
    async function refusal(options: ContainerOptions): Promise<string> {
      const container = start(options);
      assert.equal(await container.ended, 1, container.said());
      assert.equal(container.said().trimEnd().split('\n').length, 1, container.said());
      return container.said();
    }

    /** Its one warning. */
    async function warning(options: ContainerOptions): Promise<string> {
      const container = start(options);
      await untilServing(container);
      const lines = container.said().split('\n');
      const warnings = lines.filter((line) => line.includes('"level":40'));
      assert.equal(warnings.length, 1, container.said());
      await endHard(container);
      const { msg, hint } = JSON.parse(warnings[0] ?? '');
      return `${msg} ${hint}`;
    }

    it('without a volume, which the read-only root cannot replace', async () => {
      assert.match(await refusal({}), /^tributary: DATA_DIR is \/data; .*-v tributary:\/data/);
    });

    it('with a read-only volume', async () => {
      const volume = makeVolume('read-only');
      const said = await refusal({ volume, isVolumeReadOnly: true });
      assert.match(said, /^tributary: DATA_DIR is \/data; .*\(EROFS\)\. Give it a volume/);
      assert.deepEqual(readdirSync(volume), []);
    });

    it('with a volume of another user', async () => {
      const volume = makeVolume('foreign');
      chownSync(volume, 0, 0);
      assert.match(await refusal({ volume }), /^tributary: DATA_DIR is \/data; .*\(EACCES\)/);
    });

    it('without a volume, when its data would end with the container', async () => {
      assert.match(
        await warning({ isRootWritable: true }),
        /deleted with this container.*-v tributary:\/data/,
      );
    });

    it('with a volume that nobody named, which no other container finds', async () => {
      const volume = makeVolume('5e'.repeat(32));
      assert.match(await warning({ volume }), /without a name.*-v tributary:\/data/);
    });
  });
});

async function endHard(container: Container): Promise<void> {
  try {
    container.kill('SIGKILL');
  } catch {
    // It has ended.
  }
  await container.ended;
}
