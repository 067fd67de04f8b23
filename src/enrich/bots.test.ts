import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBot } from './bots.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';

describe('finding bots', () => {
  const cases = [
    ['a person’s browser is none', PERSON, '', ''],
    [
      'a crawler is known by its name',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'declared',
      'Googlebot',
    ],
    ['a program is known by its name', 'curl/8.5.0', 'declared', 'curl'],
    [
      'a crawler of an AI service is known as one, by its name',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot',
      'ai',
      'GPTBot',
    ],
    [
      'an assistant that reads for somebody is of an AI service too',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
      'ai',
      'Claude-User',
    ],
    [
      'a driven browser is known by its mark',
      PERSON.replace('Chrome', 'HeadlessChrome'),
      'automation',
      'HeadlessChrome',
    ],
    ['who sends no user agent is one', undefined, 'no_user_agent', 'no user agent'],
    ['who sends an empty user agent is one', ' ', 'no_user_agent', 'no user agent'],
    [
      'the browser inside an app is a person’s',
      'Mozilla/5.0 (Linux; Android 15; CPH2557 Build/AP3A.240617.008; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.142 Mobile Safari/537.36 MetaIAB Facebook',
      '',
      '',
    ],
    ['Grok’s crawler is of an AI service', 'GrokBot/1.0 (+https://x.ai)', 'ai', 'GrokBot'],
    [
      'Amazon’s is',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36',
      'ai',
      'Amazonbot',
    ],
    [
      'Apple’s for training is',
      'Mozilla/5.0 (compatible; Applebot-Extended/0.1)',
      'ai',
      'Applebot-Extended',
    ],
    [
      'what no list knows is known by the name it gives itself',
      'Mozilla/5.0 (compatible; Orchard-Fetcher/1.0)',
      'declared',
      'Orchard-Fetcher',
    ],
    [
      'also when it begins with that',
      '(compatible; Orchard/2.0; +https://orchard.example)',
      'declared',
      'Orchard',
    ],
    [
      'the app of a robot is a person’s',
      'Mozilla/5.0 (Linux; Android 15; SM-S928B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.7444.142 Mobile Safari/537.36 iRobot/7.1',
      '',
      '',
    ],
    ['Apple’s for search is declared', 'Applebot/0.1', 'declared', 'Applebot'],
    [
      'a bot that drives a browser is known by its product',
      `${PERSON} (compatible; OrchardBot/2.0; +https://orchard.example/bot)`,
      'declared',
      'OrchardBot',
    ],
    [
      'a program that drives a browser is known by the name it puts behind it',
      `${PERSON} DMBrowser/2.1 (BV; LV)`,
      'declared',
      'DMBrowser',
    ],
    ['so is one that has no version', `${PERSON} Orchard-Crawler`, 'declared', 'Orchard-Crawler'],
    [
      'an address for complaints is a bot’s',
      `${PERSON} Orchard/1.0 +https://orchard.example`,
      'declared',
      'Orchard',
    ],
    [
      'a name put beside the engine’s is a bot’s',
      PERSON.replace('Gecko)', 'Gecko; Orchard Renderer)'),
      'declared',
      'Orchard',
    ],
    ['a listed name is, as a product', `${PERSON} PTST/240101.1`, 'declared', 'PTST'],
    ['a name at the front of an app’s is none', `${IPHONE} Botim/3.2`, '', ''],
    ['a name inside an app’s is none', `${IPHONE} MyBotApp/1.0 SpiderGames/2`, '', ''],
    [
      'a name inside a model’s is none',
      PERSON.replace('Windows NT 10.0; Win64; x64', 'Linux; Android 14; Robot Crawler X1'),
      '',
      '',
    ],
    [
      'an app’s name that the crawlers of its makers have too is none',
      `${IPHONE} Viber/22.1 Notion/4.0 Tumblr/34`,
      '',
      '',
    ],
    [
      'a bot is one behind a model',
      'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'declared',
      'Googlebot',
    ],
    [
      'a browser that is a library is automation',
      'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/22.1.0',
      'automation',
      'jsdom',
    ],
  ] as const;
  for (const [rule, userAgent, botClass, reason] of cases) {
    it(rule, () => assert.deepEqual(findBot(userAgent), { botClass, reason }));
  }

  const assistants = [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Kimi-User/1.0; +https://www.kimi.com/policies/kimi-crawlers',
    'Claude-User (claude-code/2.1.0; +https://support.anthropic.com/)',
    `${PERSON}; Manus-User/1.0`,
    `${PERSON} claude-web`,
    `${PERSON} (compatible; Google-Agent; +https://developers.google.com/crawling/docs)`,
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; GoogleAgent-Mariner) Chrome/146.0.0.0 Safari/537.36',
    'Mozilla/5.0 (compatible; Google-Gemini-CLI/1.0; +https://github.com/google-gemini/gemini-cli)',
    'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)',
    'meta-externalfetcher/1.1',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-User/0.1) Chrome/146.0.0.0 Safari/537.36',
    `${PERSON}; compatible; OAI-SearchBot/1.4; +https://openai.com/searchbot`,
    `${PERSON} Orchard-User/1.0`,
  ];
  for (const userAgent of assistants) {
    it(`is an assistant of an AI service: ${userAgent.slice(-60)}`, () => {
      assert.equal(findBot(userAgent).botClass, 'ai');
    });
  }

  const monitors = [
    `${PERSON} Catchpoint`,
    `${PERSON} CatchpointVersion/1.0`,
    'Mozilla/5.0 (X11; Linux x86_64; Splunk Synthetics) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
    `${PERSON} SplunkSynthetics`,
    'Mozilla/5.0 (Windows NT 6.1; WOW64; rv:13.0; GomezAgent 3.0) Gecko/20100101 Firefox/13.0.1',
    `${PERSON} GomezAgent`,
    `${PERSON} CloudflareObservatory/1.0`,
    `${PERSON} Cloudflare-SpeedTest`,
    'Mozilla/5.0 (compatible; Cloudflare-Healthchecks/1.0; +https://www.cloudflare.com/; healthcheck-id: a)',
    `${PERSON} OneTrust`,
    `${PERSON} Functionize`,
    `${PERSON} OrchardSynthetics/2.0`,
    `${PERSON} ELB-HealthChecker/2.0`,
    ...[
      'AlertSite',
      'Uptrends',
      'Site24x7',
      'NewRelicMinionRuntime',
      'checkly',
      'UptimeRobot/2.0',
    ].map((name) => `${PERSON} ${name}`),
  ];
  for (const userAgent of monitors) {
    it(`is a monitor that runs scripts: ${userAgent.slice(-60)}`, () => {
      assert.equal(findBot(userAgent).botClass, 'declared');
    });
  }

  const televisions = [
    'Mozilla/5.0 (Linux mips; U;HbbTV/1.1.1 (+RTSP;DMM;Dreambox;0.1a;1.0;) CE-HTML/1.0; en) AppleWebKit/535.19 no/Volksbox QtWebkit/2.2',
    'Mozilla/5.0 (Linux aarch64; U;HbbTV/1.2.1 (+RTSP;Dream Property GmbH;Dreambox;1.5;1.0;) CE-HTML/1.0; en) WebKit QtWebkit OIPF/1.1',
    'Zeasn/2.0 NETTV/4.5.0 Mozilla/5.0 (Linux;CE-HTML/1.0;U;en), Chrome/42.0.2311.152 Safari/537.36 AppleWebKit 537.36 (KHTML, like Gecko) Tbrowser/2.0',
    'Opera 9.50 (Linux Mips; U; CE-HTML/1.0 (); en)',
    'WebKit/3.7.6, (CE-HTML/1.0 NETTV/3.3.0 NewB) PHILIPS-AVM-2013/2.19 (Philips, BDP5600, wired)',
    'Mozilla/5.0 (compatible; CE-HTML/1.0; NETTV/4.0)',
    'HbbTV/1.1.1 (;;;;;) Mozilla/5.0 (compatible; ANTGalio/3.0.2.1.22.43.08; Linux2.6.18-7.1/7405d0-smp)',
  ];
  for (const userAgent of televisions) {
    it(`is no television: ${userAgent.slice(0, 60)}`, () => {
      assert.equal(findBot(userAgent).botClass, '');
      assert.equal(findBot(`${userAgent} Googlebot/2.1`).botClass, 'declared');
    });
  }

  it('reads no more of a user agent than a browser would send', () => {
    assert.equal(findBot(`${PERSON} ${'x'.repeat(500_000)} Googlebot`).botClass, '');
  });
});
