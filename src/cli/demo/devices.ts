import type { EventRequest } from '#contract/event.ts';
import type { Choice } from './chance.ts';

/** What somebody browses with. */
export type Device = { readonly userAgent: string; readonly screenWidth: number };

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';

const chrome = (platform: string, tail = 'Safari/537.36') =>
  `Mozilla/5.0 (${platform}) ${WEBKIT} Chrome/146.0.0.0 ${tail}`;
const safari = (platform: string, tail: string) =>
  `Mozilla/5.0 (${platform}) ${SAFARI} Version/26.1 ${tail}`;
const device = (screenWidth: number, userAgent: string): Device => ({ userAgent, screenWidth });

/** What people browse with. Shares are made up, near those of a shop in Europe. */
export const DEVICES: readonly Choice<Device>[] = [
  [24, device(1920, chrome('Windows NT 10.0; Win64; x64'))],
  [8, device(1536, chrome('Windows NT 10.0; Win64; x64', 'Safari/537.36 Edg/146.0.0.0'))],
  [5, device(1728, chrome(MAC))],
  [8, device(1512, safari(MAC, 'Safari/605.1.15'))],
  [
    23,
    device(393, safari('iPhone; CPU iPhone OS 26_1 like Mac OS X', 'Mobile/15E148 Safari/604.1')),
  ],
  [
    2,
    device(430, safari('iPhone; CPU iPhone OS 18_7 like Mac OS X', 'Mobile/15E148 Safari/604.1')),
  ],
  [3, device(820, safari('iPad; CPU OS 18_7 like Mac OS X', 'Mobile/15E148 Safari/604.1'))],
  [12, device(412, chrome('Linux; Android 16; Pixel 9', 'Mobile Safari/537.36'))],
  [
    6,
    device(
      384,
      chrome('Linux; Android 15; SM-S928B', 'Mobile Safari/537.36').replace(
        'Chrome/146',
        'SamsungBrowser/30.0 Chrome/136',
      ),
    ),
  ],
  [
    4,
    device(
      1920,
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0',
    ),
  ],
  [4, device(1680, 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0')],
  [1, device(360, 'Mozilla/5.0 (Android 16; Mobile; rv:146.0) Gecko/146.0 Firefox/146.0')],
];

const robot = (name: string) => device(0, `Mozilla/5.0 (compatible; ${name})`);

/** What robots say of themselves. */
export const ROBOTS: readonly Choice<Device>[] = [
  [4, robot('Googlebot/2.1; +http://www.google.com/bot.html')],
  [2, robot('bingbot/2.0; +http://www.bing.com/bingbot.htm')],
  [3, robot('GPTBot/1.2; +https://openai.com/gptbot')],
  [2, robot('ClaudeBot/1.0; +claudebot@anthropic.com')],
  [1, robot('PerplexityBot/1.0; +https://perplexity.ai/perplexitybot')],
];

const robotAgents = new Set<string | undefined>(ROBOTS.map(([, { userAgent }]) => userAgent));

/** Whether a robot did it. */
export function isOfRobot(event: EventRequest | undefined): boolean {
  return robotAgents.has(event?.user_agent);
}
