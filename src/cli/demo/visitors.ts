import type { Weighted } from './chance.ts';

/** A visitor's browser and screen. */
type Device = { readonly userAgent: string; readonly screenWidth: number };

const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';
const MOBILE = 'Mobile/15E148 Safari/604.1';

const device = (weight: number, screenWidth: number, userAgent: string): Weighted<Device> => [
  weight,
  { userAgent, screenWidth },
];
const chrome = (platform: string, tail = 'Safari/537.36', product = 'Chrome/146.0.0.0') =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) ${product} ${tail}`;
const safari = (platform: string, tail: string) =>
  `Mozilla/5.0 (${platform}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 ${tail}`;
const firefox = (platform: string, gecko = '20100101') =>
  `Mozilla/5.0 (${platform}; rv:146.0) Gecko/${gecko} Firefox/146.0`;
const robot = (weight: number, name: string) =>
  device(weight, 0, `Mozilla/5.0 (compatible; ${name})`);

/** Devices of people. The weights are made up, but typical of a European shop. */
export const DEVICES: readonly Weighted<Device>[] = [
  device(24, 1920, chrome(WINDOWS)),
  device(8, 1536, chrome(WINDOWS, 'Safari/537.36 Edg/146.0.0.0')),
  device(5, 1728, chrome(MAC)),
  device(8, 1512, safari(MAC, 'Safari/605.1.15')),
  device(23, 393, safari('iPhone; CPU iPhone OS 26_1 like Mac OS X', MOBILE)),
  device(2, 430, safari('iPhone; CPU iPhone OS 18_7 like Mac OS X', MOBILE)),
  device(3, 820, safari('iPad; CPU OS 18_7 like Mac OS X', MOBILE)),
  device(12, 412, chrome('Linux; Android 16; Pixel 9', 'Mobile Safari/537.36')),
  device(6, 384, chrome('Linux; Android 15; SM-S928B', 'Mobile Safari/537.36', samsung(30, 136))),
  device(4, 1920, firefox(WINDOWS)),
  device(4, 1680, firefox('X11; Linux x86_64')),
  device(1, 360, firefox('Android 16; Mobile', '146.0')),
];

function samsung(version: number, chromeVersion: number): string {
  return `SamsungBrowser/${version}.0 Chrome/${chromeVersion}.0.0.0`;
}

/** User agents of robots. */
export const ROBOTS: readonly Weighted<Device>[] = [
  robot(4, 'Googlebot/2.1; +http://www.google.com/bot.html'),
  robot(2, 'bingbot/2.0; +http://www.bing.com/bingbot.htm'),
  robot(3, 'GPTBot/1.2; +https://openai.com/gptbot'),
  robot(2, 'ClaudeBot/1.0; +claudebot@anthropic.com'),
  robot(1, 'PerplexityBot/1.0; +https://perplexity.ai/perplexitybot'),
];

/** A visitor's location. The IP address is a network's, not a person's. */
type Home = { readonly language: string; readonly timezone: string; readonly ip: string };

const homes =
  (timezone: string, language: string) =>
  (weight: number, ip: string): Weighted<Home> => [weight, { language, timezone, ip }];
const germany = homes('Europe/Berlin', 'de-DE');
const austria = homes('Europe/Vienna', 'de-AT');
const france = homes('Europe/Paris', 'fr-FR');
const netherlands = homes('Europe/Amsterdam', 'nl-NL');
const britain = homes('Europe/London', 'en-GB');
const switzerland = homes('Europe/Zurich', 'de-CH');
const america = homes('America/New_York', 'en-US');

/** Locations of the shop's visitors, mostly in its own country. */
export const HOMES: readonly Weighted<Home>[] = [
  germany(17, '91.66.250.0'), // Berlin
  germany(9, '84.132.212.0'), // Hamburg
  germany(9, '84.128.80.0'), // Munich
  germany(8, '91.64.64.0'), // Frankfurt am Main
  germany(8, '84.133.17.0'), // Augsburg
  germany(4, '2003:c5:8700::'), // Unterhaching
  austria(9, '84.112.0.0'), // Vienna
  austria(4, '62.178.160.0'), // Innsbruck
  france(7, '90.3.87.0'), // Paris
  france(2, '90.4.180.0'), // Lyon
  netherlands(7, '84.80.64.0'), // Amsterdam
  britain(6, '81.129.93.0'), // London
  britain(2, '81.128.192.0'), // Manchester
  switzerland(6, '85.6.46.0'), // Zurich
  america(2, '71.167.203.0'),
];
