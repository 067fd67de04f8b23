import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findBrowsing } from './browsers.ts';
import type { ClientHints } from './client-headers.ts';

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/146.0.0.0 Safari/537.36`;
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/146.0.0.0 Mobile Safari/537.36`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Chrome/146.0.0.0 Safari/537.36`;

const hints = (more: Partial<ClientHints>): ClientHints => ({
  brands: '"Chromium";v="146", "Google Chrome";v="146", "Not.A/Brand";v="99"',
  mobile: '?0',
  platform: '',
  platformVersion: '',
  ...more,
});

describe('what somebody browses with', () => {
  const cases: readonly (readonly [string, ClientHints | undefined, string])[] = [
    [WINDOWS, undefined, 'Chrome 146 | Windows  | desktop'],
    [WINDOWS, hints({ platformVersion: '"15.0.0"' }), 'Chrome 146 | Windows 11 | desktop'],
    [WINDOWS, hints({ platformVersion: '"10.0.0"' }), 'Chrome 146 | Windows 10 | desktop'],
    [WINDOWS, hints({ brands: '"Brave";v="146"' }), 'Brave 146 | Windows  | desktop'],
    [
      `${WINDOWS} OPR/130.0.0.0`,
      hints({ brands: '"Opera GX";v="130"' }),
      'Opera 130 | Windows  | desktop',
    ],
    [`${WINDOWS} Edg/146.0.3856.59`, undefined, 'Edge 146 | Windows  | desktop'],
    [WINDOWS.replace('10.0', '6.1'), undefined, 'Chrome 146 | Windows 7 | desktop'],
    [ANDROID, undefined, 'Chrome 146 | Android  | mobile'],
    [
      ANDROID,
      hints({ platformVersion: '"16.0.0"', mobile: '?1' }),
      'Chrome 146 | Android 16 | mobile',
    ],
    [MAC, undefined, 'Chrome 146 | macOS  | desktop'],
    [MAC, hints({ platformVersion: '"15.7.1"' }), 'Chrome 146 | macOS 15.7 | desktop'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
      undefined,
      'Safari 26.1 | iOS 26.1 | mobile',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      undefined,
      'Firefox 140 | Linux  | desktop',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-X900) ${KHTML} Chrome/146.0.0.0 Safari/537.36`,
      undefined,
      'Chrome 146 | Android 15 | tablet',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-S928B) ${KHTML} SamsungBrowser/30.0 Chrome/143.0.0.0 Mobile Safari/537.36`,
      undefined,
      'Samsung Internet 30 | Android 15 | mobile',
    ],
    [
      `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) ${KHTML} 76.0.3809.146/6.0 TV Safari/537.36`,
      undefined,
      'Tizen  | Tizen 6 | tv',
    ],
    ['nothing that is known', undefined, '  |   | '],
    ['', undefined, '  |   | '],
  ];
  for (const [userAgent, sent, expected] of cases) {
    it(`is ${expected} for ${userAgent.slice(0, 60)}${sent ? ' with hints' : ''}`, () => {
      const found = findBrowsing(userAgent, sent);
      const { browser, browserVersion, os, osVersion, device } = found;
      assert.equal(`${browser} ${browserVersion} | ${os} ${osVersion} | ${device}`, expected);
    });
  }

  it('is found for any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, text, (userAgent, hint) => {
        findBrowsing(userAgent, hints({ brands: hint, platformVersion: hint, mobile: hint }));
      }),
    );
  });
});
