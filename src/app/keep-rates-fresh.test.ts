import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { keepRatesFresh } from './keep-rates-fresh.ts';

const HOUR_MS = 3_600_000;

describe('exchange rates that are fetched', () => {
  it('are asked for once a day, across restarts and failures, which are each reported once', async (t) => {
    const answers = [
      { status: 200, body: 'Date,USD\n2026-10-05,1.25\n' },
      { status: 500, body: '' },
      { status: 200, body: '<!doctype html>' },
      { status: 200, body: 'Date,USD\n2026-10-08,1.5\n' },
    ];
    let requests = 0;
    const stub = createServer((_, response) => {
      const { status, body } = answers[requests++] ?? { status: 500, body: '' };
      response.writeHead(status).end(body);
    });
    await once(stub.listen(0, '127.0.0.1'), 'listening');
    const dataDir = mkdtempSync(join(tmpdir(), 'tributary-rates-'));
    let now = Date.parse('2026-10-06T12:00:00Z');
    const failures: string[] = [];
    const start = () =>
      keepRatesFresh({
        url: `http://127.0.0.1:${(stub.address() as AddressInfo).port}/rates.csv`,
        ...{ path: join(dataDir, 'rates.csv'), dataDir, now: () => now, onLook: () => {} },
        onFailure: (reason) => failures.push(reason),
      });
    let fetcher = start();
    t.after(async () => {
      await fetcher.stop();
      stub.close();
      rmSync(dataDir, { recursive: true });
    });
    const restart = async () => {
      await fetcher.stop();
      fetcher = start();
    };

    await fetcher.look().catch(() => {});
    const read = () => readFileSync(join(dataDir, 'rates.csv'), 'utf8').replace(/^#.*\n/, '');
    assert.equal(read(), 'Date,USD\n2026-10-05,1.25\n');
    now += 23 * HOUR_MS;
    await restart();
    await fetcher.look().catch(() => {});
    assert.equal(requests, 1);
    for (const requested of [2, 3]) {
      now += 24 * HOUR_MS;
      await fetcher.look().catch(() => {});
      await fetcher.look().catch(() => {});
      assert.equal(requests, requested);
    }
    assert.equal(failures.length, 2);
    assert.match(failures[0] ?? '', /rates\.csv answered 500/);
    assert.match(failures[1] ?? '', /rates\.csv is not a table of exchange rates/);
    assert.equal(read(), 'Date,USD\n2026-10-05,1.25\n');
    now -= 48 * HOUR_MS; // A clock that is set back does not ask again.
    await fetcher.look().catch(() => {});
    now += HOUR_MS;
    await restart();
    await fetcher.look().catch(() => {});
    assert.equal(requests, 3);
    now += 23 * HOUR_MS;
    await fetcher.look().catch(() => {});
    assert.equal(requests, 4);
    assert.equal(read(), 'Date,USD\n2026-10-08,1.5\n2026-10-05,1.25\n');
  });
});
