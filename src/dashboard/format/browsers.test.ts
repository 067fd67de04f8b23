import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameBrowser } from './browsers.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a browser that somebody is signed in with', () => {
  const cases = [
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/146.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0`,
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
      'Firefox on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/146.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; SM-S938B) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['', 'Unknown browser'],
  ] as const;
  for (const [userAgent, name] of cases) {
    it(`is ${name}`, () => assert.equal(nameBrowser(userAgent), name));
  }
});
