import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDroppedEventCounter } from '#ingest/events/dropped-event-counter.ts';

describe('the sample of a dropped event', () => {
  const hosts = [
    ['http://127.0.0.1:8080/x', '127.0.0.1:8080'],
    ['http://localhost:3000/', 'localhost:3000'],
    ['https://anna.shop.example:8443/', '*.shop.example:8443'],
    ['https://shop.example:443/', 'shop.example'],
    ['http://203.0.113.7:81/', '*:81'],
    ['about:blank', ''],
  ] as const;
  for (const [url, host] of hosts) {
    it(`names the host of ${url} as ${host || 'none'}`, async () => {
      const saved: unknown[] = [];
      const counter = createDroppedEventCounter(
        () => 0,
        async (_, samples) => void saved.push(...samples.map((sample) => sample.host)),
      );
      counter.countDrop('site', 'hostname_not_allowed', { type: 'pageview', url });
      await counter.close();
      assert.deepEqual(saved, [host]);
    });
  }
});
