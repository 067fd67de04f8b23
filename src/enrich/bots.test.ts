import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import crawlers from 'crawler-user-agents';
import { findBot } from './bots.ts';

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
    ['Apple’s for search is declared', 'Applebot/0.1', 'declared', 'Applebot'],
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

  it('reads no more of a user agent than a browser would send', () => {
    assert.equal(findBot(`${PERSON} ${'x'.repeat(500_000)} Googlebot`).botClass, '');
  });
});

describe('bots, measured', () => {
  it('finds nearly all of those who declare themselves', (t) => {
    const strings = crawlers.flatMap(({ instances }) => instances);
    const missed = strings.filter((userAgent) => findBot(userAgent).botClass === '');
    const recall = 1 - missed.length / strings.length;
    t.diagnostic(
      `recall ${(100 * recall).toFixed(2)} %: ${missed.length} of ${strings.length} user agents of crawler-user-agents taken for people`,
    );
    assert.ok(recall > 0.997, missed.join('\n'));
  });

  it('takes no person for a bot', (t) => {
    const path = createRequire(import.meta.url).resolve('user-agents');
    const file = new URL('./user-agents.json', `file://${path}`);
    const browsers = JSON.parse(readFileSync(file, 'utf8')) as { userAgent: string }[];
    const wrong = browsers.filter(({ userAgent }) => findBot(userAgent).botClass !== '');
    t.diagnostic(
      `false positives ${((100 * wrong.length) / browsers.length).toFixed(2)} %: ${wrong.length} of ${browsers.length} browsers of user-agents taken for bots`,
    );
    assert.ok(browsers.length > 5_000);
    assert.deepEqual(wrong, []);
  });
});
