import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchProxies } from './proxy-watch.ts';

describe('proxies that are not trusted', () => {
  function watch() {
    const logged: string[] = [];
    const proxies = watchProxies({ warn: (line: unknown) => void logged.push(String(line)) });
    const come = (count: number, address: string, said: string | undefined) => {
      const headers = said === undefined ? {} : { 'x-forwarded-for': said };
      for (let id = 0; id < count; id += 1)
        proxies.note({ apiKey: null, ip: address, headers }, `visitor-${id}`);
    };
    return { logged, proxies, come };
  }

  it('are addresses that forward the events of fifty visitors, and are logged once, without them', () => {
    const { logged, proxies, come } = watch();
    come(49, '127.0.0.1', '203.0.113.1');
    assert.deepEqual(proxies.list(), []);
    come(50, '127.0.0.1', '203.0.113.1');
    come(50, '::ffff:172.18.0.2', 'made-up, 203.0.113.1');
    come(90, '127.0.0.1', '203.0.113.1');
    assert.deepEqual(proxies.list(), ['127.0.0.1', '172.18.0.2']);
    assert.equal(logged.length, 2);
    assert.match(logged.join(), /TRUSTED_PROXIES/);
    assert.doesNotMatch(logged.join(), /\d\.\d/);
  });

  it('are addresses that forward somebody who signs in, at once', () => {
    const { logged, proxies } = watch();
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    proxies.noteSignIn({ ip: '198.51.100.1', headers: {} });
    proxies.noteSignIn({ ip: '203.0.113.1', headers });
    assert.deepEqual(proxies.list(), []);
    for (let time = 0; time < 2; time += 1) proxies.noteSignIn({ ip: '10.0.0.1', headers });
    assert.deepEqual([proxies.list(), logged.length], [['10.0.0.1'], 1]);
  });

  it('are neither many visitors of one address, nor one of many requests, nor trusted ones', () => {
    const { proxies, come } = watch();
    come(100, '198.51.100.1', undefined);
    come(100, '198.51.100.1', '198.51.100.1, 10.0.0.1');
    for (let time = 0; time < 100; time += 1) come(1, '127.0.0.1', '203.0.113.1');
    assert.deepEqual(proxies.list(), []);
  });

  it('are found while strangers send the header from everywhere', () => {
    const { proxies, come } = watch();
    for (let stranger = 0; stranger < 5_000; stranger += 1) come(1, `192.0.2.${stranger}`, 'x');
    come(50, '127.0.0.1', '203.0.113.1');
    assert.deepEqual(proxies.list(), ['127.0.0.1']);
  });
});
