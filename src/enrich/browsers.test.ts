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

describe('the browser, system and device', () => {
  const cases: readonly (readonly [string, ClientHints | undefined, string])[] = [
    [WINDOWS, undefined, 'Chrome 146 | Windows  | desktop'],
    [WINDOWS, hints({ platformVersion: '"15.0.0"' }), 'Chrome 146 | Windows 11 | desktop'],
    [WINDOWS, hints({ platformVersion: '"10.0.0"' }), 'Chrome 146 | Windows 10 | desktop'],
    [WINDOWS, hints({ brands: '"Brave";v="146"' }), 'Brave 146 | Windows  | desktop'],
    [
      `${WINDOWS} OPR/130.0.0.0`,
      hints({ brands: '"Opera GX";v="130"' }),
      'Opera GX 130 | Windows  | desktop',
    ],
    [`${WINDOWS} OPR/130.0.0.0 (Edition GX)`, undefined, 'Opera GX 130 | Windows  | desktop'],
    [`${WINDOWS} OPR/130.0.0.0`, undefined, 'Opera 130 | Windows  | desktop'],
    [
      ANDROID.replace('Mobile', 'YaBrowser/25.4.1 Mobile'),
      undefined,
      'Yandex Browser 25.4 | Android  | mobile',
    ],
    [
      ANDROID.replace('Mobile', 'YaApp_Android/25.41 YaSearchBrowser/25.41 BroPP/1.0 SA/3 Mobile'),
      undefined,
      'Yandex Browser 25.41 | Android  | mobile',
    ],
    [
      ANDROID.replace('Mobile', 'HuaweiBrowser/15.0.4.312 Mobile'),
      undefined,
      'Huawei Browser 15 | Android  | mobile',
    ],
    [
      ANDROID,
      hints({ brands: '"HuaweiBrowser";v="15"', mobile: '?1' }),
      'Huawei Browser 15 | Android  | mobile',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1 OPX/2.4.4',
      undefined,
      'Opera GX 2.4 | iOS 18.5 | mobile',
    ],
    [
      'Opera/9.70 (Linux mips ; U; CE-HTML/1.0 (); en) Presto/2.2.1',
      undefined,
      'Opera 9.70 | Linux  | tv',
    ],
    [
      'ANTGalio/3.0.6.22.46 CE-HTML/1.0 (; Humax; iCord; 1.00.11; 0.3) HbbTV/1.1.1 (;;;;;)',
      undefined,
      '  |   | tv',
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
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/605.1.15 BingSapphire/1.0.430',
      undefined,
      'Safari 17 | iOS 17 | mobile',
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
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/146.0.0.0 Safari/537.36`,
      undefined,
      'Chrome 146 | Chrome OS  | desktop',
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/146.0.0.0 Safari/537.36`,
      hints({ platform: '"Chrome OS"' }),
      'Chrome 146 | Chrome OS  | desktop',
    ],
    [
      WINDOWS,
      hints({ platform: '"Chromium OS"', platformVersion: '"16.2.1"' }),
      'Chrome 146 | Chrome OS 16.2 | desktop',
    ],
    [WINDOWS, hints({ platform: '"Linux"' }), 'Chrome 146 | Linux  | desktop'],
    [WINDOWS, hints({ platform: '"Windows"' }), 'Chrome 146 | Windows  | desktop'],
    [WINDOWS, hints({ platform: '"Unknown"' }), 'Chrome 146 | Windows  | desktop'],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/146.0.0.0 Safari/537.36`,
      hints({ platform: '"Android"', mobile: '?1' }),
      'Chrome 146 | Android  | mobile',
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/146.0.0.0 Safari/537.36`,
      hints({ platform: '"Android"', mobile: '?0' }),
      'Chrome 146 | Android  | tablet',
    ],
    [ANDROID, hints({ platform: '"Android"', mobile: '?0' }), 'Chrome 146 | Android  | tablet'],
    [ANDROID, hints({ platform: '"Windows"', mobile: '?0' }), 'Chrome 146 | Windows  | desktop'],
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

  const devices = [
    ['tv', 'Linux; Android 12; BRAVIA 4K VH2 Build/STT2.230203.001.S49; wv'],
    ['tv', 'Linux; Android 12; onn. 4K Streaming Box'],
    ['tv', 'Linux; Android 11; H96 Max RK3318'],
    ['tv', 'Linux; Android 10; TX3 Mini'],
    ['tv', 'Linux; Android 10; ADT-3'],
    ['tv', 'Linux; Android 9; AFTMM Build/PS7633.3445N; wv'],
    ['tv', 'Linux; Android 11; Chromecast Build/RTT1.210224.001'],
    ['tv', 'Linux; Android 10; MIBOX4 Build/QTG3.200305.006'],
    ['tv', 'Linux; Android 13; MiTV-AXSO2'],
    ['tv', 'Linux; Android 11; SHIELD Android TV Build/RQ1A.210105.003'],
    ['tv', 'Linux; Android 12; Google TV Streamer'],
    ['tv', 'Web0S; Linux/SmartTV'],
    ['tv', 'SMART-TV; Linux; Tizen 8.0'],
    ['tv', 'Linux armv7l; POV_TV-HP-55'],
    ['tv', 'X11; Linux armv7l; CrKey/1.56'],
    ['tv', 'PlayStation; PlayStation 5/10.00'],
    ['tv', 'Windows NT 10.0; Win64; x64; Xbox; Xbox Series X'],
    ['tv', 'Nintendo Switch; WebApplet'],
    ['tablet', 'Linux; Android 9; KFTRWI Build/PS7330.3110N'],
    ['tablet', 'Linux; Android 7.0; SHIELD Tablet K1'],
    ['tablet', 'iPad; CPU OS 18_5 like Mac OS X'],
    ['desktop', 'X11; FreeBSD amd64'],
  ] as const;
  for (const [device, system] of devices) {
    it(`is a ${device} for ${system}`, () => {
      const userAgent = `Mozilla/5.0 (${system}) ${KHTML} Chrome/146.0.0.0 Safari/537.36`;
      assert.equal(findBrowsing(userAgent, undefined).device, device);
      assert.equal(findBrowsing(userAgent, hints({ platform: '""' })).device, device);
    });
  }

  const models = [
    'Windows 11 Phone',
    'iPhone 15 Pro Max',
    'iPad Air',
    'Bada 5',
    'Tizen One',
  ].concat([
    'webOS Pro',
    'BB10 Max',
    'Macintosh',
    'Linux Note',
    'CrOS X',
    'PlayStation 4',
    'Roku/DVP-9',
  ]);
  for (const model of models) {
    it(`is Android on a phone called ${model}, in an app that repeats the name too`, () => {
      for (const app of ['', ` Instagram 406.0 Android (35/15; 480dpi; ${model}; en_MY)`]) {
        const { os, osVersion } = findBrowsing(
          `Mozilla/5.0 (Linux; Android 15; ${model} Build/AP3A; wv) ${KHTML} Version/4.0 Chrome/146.0.0.0 Mobile Safari/537.36${app}`,
          undefined,
        );
        assert.deepEqual([os, osVersion], ['Android', '15']);
      }
    });
  }

  it('is a phone in the app of a television channel', () => {
    for (const system of [
      'iPhone; CPU iPhone OS 18_5 like Mac OS X',
      'Linux; Android 14; SM-A5; wv',
    ]) {
      const userAgent = `Mozilla/5.0 (${system}) ${KHTML} Chrome/146.0.0.0 Mobile Safari/537.36`;
      assert.equal(findBrowsing(`${userAgent} QVC-TV/3.1`, undefined).device, 'mobile');
    }
  });

  it('is iOS on an iPad that requests desktop pages', () => {
    const userAgent =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
    const { os, device } = findBrowsing(userAgent, undefined);
    assert.deepEqual([os, device], ['iOS', 'tablet']);
  });

  it('is found for any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, text, (userAgent, hint) => {
        findBrowsing(userAgent, hints({ brands: hint, platformVersion: hint, mobile: hint }));
      }),
    );
  });
});
