import Bowser from 'bowser';
import type { ClientHints } from './client-headers.ts';
import { readFactTable } from './fact-table.ts';
import { cutToSystem } from './find-remarks.ts';

/** A visitor's browser, system and device, by display name. Unknown parts are empty. */
export type Browsing = {
  readonly browser: string;
  readonly browserVersion: string;
  readonly os: string;
  readonly osVersion: string;
  readonly device: Device | '';
};

type Device = 'desktop' | 'mobile' | 'tablet' | 'tv';

const NOTHING: Browsing = { browser: '', browserVersion: '', os: '', osVersion: '', device: '' };

const table = readFactTable('browser-names.csv', ['by', 'name', 'spoken']);
const spokenNames = (by: 'user_agent' | 'brand' | 'mark') =>
  new Map(table.filter((row) => row.by === by).map(({ name, spoken }) => [name, spoken]));
const SPOKEN = spokenNames('user_agent');
const BRANDS = spokenNames('brand');
const MARKS = spokenNames('mark');
const MARK = new RegExp(String.raw`\b(${[...MARKS.keys()].join('|')})([\d.]*)`);

/** Desktop operating systems. */
const DESKTOPS = ['Windows', 'macOS', 'Chrome OS', 'Linux'];
/** Platform hints that need translation. */
const HINTED_SYSTEMS: Readonly<Record<string, string>> = {
  'Chromium OS': 'Chrome OS',
  Unknown: '',
};

/** User agents of televisions, set-top boxes and consoles; `QVC-TV/3.1` is an app of a channel. */
const TV =
  /(?:\b(?:android|apple|beyond|c|d|g|google|hbb|ip|mi|net|smart)-?|[^a-z-])tv(?![a-z])|-tv(?![a-z/])|(?:\b|_)(?:aft(?!er)[a-z]{1,4}\d*|bravia|ce-html|chromecast|crkey|freebox|mibox\w*|netcast|nexus player|nintendo (?:switch|wii)\w*|playstation [345]|roku|(?:adt|at)-\d|h96|stb|streaming (?:box|stick)|tivo|tx\d+ (?:max|mini|pro)|vidaa|viera|web0s|xbox)\b/i;
const TABLET = /ipad|tablet(?! pc)|playbook|kindle|silk(?!.*mobile)/i;
const MOBILE = /mobi|phone|ipod|blackberry|bb10|opera mini|j2me|symbian|series[46]0/i;
/** An iPad that requests desktop pages, and therefore claims to be a Mac. */
const IPAD_AS_MAC = /\(Macintosh;.* (?:FxiOS|Mobile)\/.*/;

/**
 * Detects the browser, system and device from a user agent and its client hints.
 *
 * - Shape: short versions: `146`, `26.1`. Frozen versions (Windows NT 10.0, macOS 10.15.7, Android 10
 *   without a model) are ignored; only a hint has the real one.
 * - Why hints win: browsers freeze the user agent but keep the hints accurate.
 * - Source: the package bowser; for Windows' hint, Microsoft's table of platform versions.
 */
export function findBrowsing(userAgent: string, hints: ClientHints | undefined): Browsing {
  if (userAgent === '') return NOTHING;
  const { browser: parsed } = Bowser.parse(userAgent.replace('BingSapphire', 'Bing')); // It contains `GSA`, Google's app.
  const { name = '', ...browser } = parsed.name?.includes('/') ? {} : parsed; // Or else half of an unknown user agent.
  const [, mark = '', version = ''] = MARK.exec(userAgent) ?? [];
  const brand = hints && findBrand(hints.brands);
  const stated = findStatedSystem(userAgent);
  const os = findHintedSystem(hints) || stated.name;
  return {
    browser: brand?.name ?? MARKS.get(mark) ?? SPOKEN.get(name) ?? name,
    browserVersion: toSpokenVersion(brand?.version ?? (version || browser.version || '')),
    os,
    osVersion: hintedVersion(os, hints) ?? (os === stated.name ? stated.version : ''),
    device: findDevice(userAgent, os, hints),
  };
}

function findHintedSystem(hints: ClientHints | undefined): string {
  const platform = hints?.platform.replaceAll('"', '') ?? '';
  return HINTED_SYSTEMS[platform] ?? ([...DESKTOPS, 'Android'].includes(platform) ? platform : '');
}

/** The system named at the start of the user agent. Apps may name other systems after it. */
function findStatedSystem(userAgent: string): { name: string; version: string } {
  if (IPAD_AS_MAC.test(userAgent)) return { name: 'iOS', version: '' };
  const { os } = Bowser.parse(cutToSystem(userAgent));
  return { name: os.name ?? '', version: statedVersion(userAgent, os) };
}

function findDevice(userAgent: string, os: string, hints: ClientHints | undefined): Device | '' {
  if (hints?.mobile === '?1') return 'mobile';
  if (TV.test(userAgent.replace(/ Build\/[^;)]*/, ''))) return 'tv';
  const isSure = hints?.mobile === '?0' || findHintedSystem(hints) !== '';
  if (isSure && DESKTOPS.includes(os)) return 'desktop';
  if (TABLET.test(userAgent) || IPAD_AS_MAC.test(userAgent)) return 'tablet';
  if (hints?.mobile !== '?0' && MOBILE.test(userAgent)) return 'mobile';
  if (os === 'Android') return 'tablet';
  return DESKTOPS.includes(os) || userAgent.includes('X11;') ? 'desktop' : '';
}

function findBrand(brands: string): { name: string; version: string } | undefined {
  for (const [, brand = '', version = ''] of brands.matchAll(/"([^"]*)";\s*v="([^"]*)"/g)) {
    const name = BRANDS.get(brand);
    if (name !== undefined) return { name, version };
  }
  return undefined;
}

function hintedVersion(os: string, hints: ClientHints | undefined): string | undefined {
  const version = hints?.platformVersion.replaceAll('"', '') ?? '';
  const major = Number.parseInt(version, 10);
  if (Number.isNaN(major)) return undefined;
  if (os !== 'Windows') return toSpokenVersion(version);
  if (major === 0) return undefined; // Windows 7 and 8: the user agent has the version.
  return major >= 13 ? '11' : '10';
}

/** Frozen versions that current browsers send on every system. */
const FROZEN = /Windows NT 10\.0|Mac OS X 10[_.]15|Android 10; K\)/;

function statedVersion(
  userAgent: string,
  { name, version, versionName }: { name?: string; version?: string; versionName?: string },
): string {
  if (FROZEN.test(userAgent)) return '';
  return toSpokenVersion((name === 'Windows' ? versionName : version) ?? '');
}

/** Shortens `146.0.7632.5` to `146`, and `26.1.1` to `26.1`. */
function toSpokenVersion(version: string): string {
  const [major = '', minor = '0'] = version.split('.');
  return minor === '0' || !/^\d+$/.test(minor) ? major : `${major}.${minor}`;
}
