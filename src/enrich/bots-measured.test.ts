import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import crawlers from 'crawler-user-agents';
import { findBot } from './bots.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = 'Chrome/146.0.7680.174';

/** What the browsers inside of apps send on Android, behind the model and the engine. */
const ANDROID_APPS = [
  `Version/4.0 ${CHROME} Mobile Safari/537.36`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/520.0.0.43.99;IABMV/1;]`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 [FBAN/FB4A;FBAV/520.0;FBMF/MODEL;FBBD/MODEL;FBDV/MODEL;FBSV/14;]`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 MetaIAB Facebook`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Instagram 406.0.0.58.159 Android (35/15; 480dpi; 1080x2400; MODEL; MODEL; MODEL; mt6833; en_MY; 822918295)`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Barcelona 380.0.0.0.1 Android (34/14; 420dpi; 1080x2209; MODEL; MODEL)`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 musical_ly_2023803030 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/38.3.3 ByteLocale/en BytedanceWebview/d8a21c6`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 MMWEBID/4064 MicroMessenger/8.0.50.2701(0x28003253) WeChat/arm64 Weixin Process/tools NetType/WIFI Language/zh_CN ABI/arm64`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 wxwork/4.1.30 MicroMessenger/7.0.1 NetType/4G Language/zh`,
  `Version/4.0 ${CHROME} MQQBrowser/6.2 TBS/046295 Mobile Safari/537.36 V1_AND_SQ_9.0.8 QQ/9.0.8.14755 NetType/WIFI`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 AliApp(DingTalk/7.5.0) com.alibaba.android.rimet/35 Channel/227200 language/zh-CN`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Lark/7.22.5 LarkLocale/en_US ChannelName/googleplay`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Line/14.9.1/IAB`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36;KAKAOTALK 2511130`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 NAVER(inapp; search; 2000; 12.3.6)`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 DaumApps/7.3.0 DaumDevice/mobile`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Zalo android/12100708 ZaloTheme/light ZaloLanguage/vi`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Viber/22.1.0`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 [Pinterest/Android]`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Snapchat/13.5.0.42 (MODEL; Android 14; gzip)`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 [LinkedInApp]/4.1.980`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Slack/25.1 Discord/260 Teams/1416`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 TwitterAndroid`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 YahooMobileMail/7.40 YMail/1.0 (Android Mail; 7.40)`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 OutlookAndroid/4.2404.2`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 GoogleApp/15.41.37.28.arm64`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 GNews Android/2022137898`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 SmartNews NewsBreak/24.1 NewsSuite/5.2`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Flipboard/4.3.30/5610,4.3.30.5610`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Feedly/100.0 Inoreader/7.9 NewsBlur/13`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Goodreads/2.70 Instapaper/6.4 Tumblr/36`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 Blackboard/10.2 PayPal/8.60`,
  `Version/4.0 ${CHROME} Mobile Safari/537.36 CamScanner/6.60 DownloadManager/2 SearchLite/9`,
  `${CHROME} Mobile Safari/537.36 OPR/88.0.0.0`,
  `SamsungBrowser/28.0 ${CHROME} Mobile Safari/537.36`,
  `${CHROME} Mobile Safari/537.36 EdgA/146.0.0.0`,
  `${CHROME} YaBrowser/25.4.1 YaApp_Android/25.41 BroPP/1.0 SA/3 Mobile Safari/537.36`,
  `${CHROME} Mobile DuckDuckGo/5 Safari/537.36`,
  `${CHROME} Mobile Safari/537.36 (Ecosia android@146.0.7680.174)`,
];

/** What browsers inside of apps send on iPhones, behind the engine, and on desktops. */
const IPHONE_APPS = [
  'Mobile/15E148',
  'Mobile/15E148 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone16,2;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBLC/en_US;]',
  'Mobile/15E148 Instagram 390.0.0.28.85 (iPhone16,2; iOS 18_5; en_US; en; scale=3.00; 1290x2796; 766920237; IABMV/1)',
  'Mobile/15E148 MicroMessenger/8.0.59(0x18003b2e) NetType/WIFI Language/en',
  'Mobile/15E148 [LinkedInApp]/9.31.1',
  'Mobile/15E148 [Pinterest/iOS]',
  'Mobile/15E148 Twitter for iPhone/10.95',
  'Mobile/15E148 Snapchat/13.40.0.43 (like Safari/8621.2.5, panda)',
  'Mobile/15E148 Safari Line/15.8.0',
  'Mobile/15E148 KAKAOTALK 25.4.1 (INAPP)',
  'Mobile/15E148 Telegram-iOS/11.9',
  'Version/18.5 Mobile/15E148 Safari/604.1 (Ecosia ios@11.2.0.2550)',
  'GSA/370.0.762543316 Mobile/15E148 Safari/604.1',
  'CriOS/146.0.7680.40 Mobile/15E148 Safari/604.1',
  'Mobile/15E148 AppleNews/1100.1 Version/2.0.1',
  'Mobile/15E148 Outlook-iOS/4.2520.0 ms-office',
  'Mobile/15E148 Flipboard/4.3.50',
];
const DESKTOP_APPS = [
  `Slack/4.43.51 ${CHROME} Electron/36.3.1 Safari/537.36 MicrosoftStore Sonic Slack_SSB/4.43.51`,
  `discord/1.0.9194 ${CHROME} Electron/35.1.5 Safari/537.36`,
  `Notion/4.11.1 ${CHROME} Electron/36.2.1 Safari/537.36`,
  `Asana/2.5.0 ${CHROME} Electron/35.1.5 Safari/537.36`,
  `Code/1.115.0 ${CHROME} Electron/39.8.5 Safari/537.36`,
  `Cursor/1.0.0 ${CHROME} Electron/34.5.1 Safari/537.36`,
  `Teams/25122.1415 ${CHROME} Safari/537.36 Edg/146.0.3856.59`,
  `${CHROME} Safari/537.36 NetType/WIFI MicroMessenger/7.0.20 WindowsWechat(0x63090c33)`,
];

/** Models whose names are names of bots and systems, or words that bots use. */
const MODELS =
  'CUBOT KINGKONG 9|CUBOT_NOTE_S|CUBOT|Cubot X19|Robot|BOT 1|Spider Pro|Crawler RC|Butterfly|HTC Butterfly 2|LG Magellan|Cypress|Sonic 3|Speedy 5|Scanner CT60|URL S8|Preview 5|Headless H1|Server X|Google Pixel 9|News One|Proxy 2|Node 7|Java J1|Curl C3|Feed F1|Radar R2|Fetch 1|Monitor M4|Yeti 6|Buck 2|Make One|RED Hydrogen|HONOR Magic6|SM-S928B|CPH2557|K'.split(
    '|',
  );

const APPS = [
  ...ANDROID_APPS.flatMap((app) =>
    MODELS.flatMap((model) =>
      [`${model}`, `${model} Build/AP3A.240617.008; wv`].map(
        (device) =>
          `Mozilla/5.0 (Linux; Android 15; ${device}) ${WEBKIT} ${app.replaceAll('MODEL', model)}`,
      ),
    ),
  ),
  ...IPHONE_APPS.map(
    (app) =>
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${app}`,
  ),
  ...DESKTOP_APPS.map((app) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} ${app}`),
];

/** Those that the package lists although they are people's own programs. */
const OF_PEOPLE = /AP3A|MetaIAB| Code\/| Trae\/| Fluid\//;

describe('bots, measured', () => {
  it('finds nearly all published crawlers', (t) => {
    const published = crawlers.flatMap(({ instances }) => instances);
    const missed = published.filter((userAgent) => findBot(userAgent).botClass === '');
    const recall = 1 - missed.length / published.length;
    t.diagnostic(
      `recall ${toPercent(recall)}: ${missed.length} of ${published.length} user agents of crawler-user-agents taken for people`,
    );
    assert.ok(recall > 0.995, missed.join('\n'));
    assert.ok(missed.filter((userAgent) => !OF_PEOPLE.test(userAgent)).length < 5);
  });

  it('recognizes crawlers with a phone’s or an app’s user agent', () => {
    const bots = [
      '(compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'OrchardBot/1.0',
      'HeadlessChrome/146.0',
    ];
    const missed = APPS.flatMap((app) => bots.map((bot) => `${app} ${bot}`)).filter(
      (userAgent) => findBot(userAgent).botClass === '',
    );
    assert.deepEqual(missed, []);
  });

  const lists = [
    ['browsers of user-agents', readBrowsers()],
    ['browsers inside of apps, on phones with unlucky names too', APPS],
  ] as const;
  for (const [name, userAgents] of lists) {
    it(`takes fewer than one of 1,000 ${name} for a bot`, (t) => {
      const wrong = userAgents.filter((userAgent) => findBot(userAgent).botClass !== '');
      t.diagnostic(
        `false positives ${toPercent(wrong.length / userAgents.length)}: ${wrong.length} of ${userAgents.length} ${name}`,
      );
      assert.ok(userAgents.length > 2_000);
      assert.ok(wrong.length / userAgents.length < 0.001, wrong.join('\n'));
    });
  }
});

function readBrowsers(): string[] {
  const path = createRequire(import.meta.url).resolve('user-agents');
  const file = new URL('./user-agents.json', `file://${path}`);
  const browsers = JSON.parse(readFileSync(file, 'utf8')) as { userAgent: string }[];
  return browsers.map(({ userAgent }) => userAgent);
}

function toPercent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
