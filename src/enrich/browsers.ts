import Bowser from 'bowser';
import type { ClientHints } from './client-headers.ts';
import { readFactTable } from './fact-table.ts';

/** What somebody browses with, by spoken names; what is not known is empty. */
export type Browsing = {
  readonly browser: string;
  readonly browserVersion: string;
  readonly os: string;
  readonly osVersion: string;
  readonly device: Device | '';
};

/** What somebody holds or sits at. */
export type Device = (typeof DEVICES)[number];

const DEVICES = ['desktop', 'mobile', 'tablet', 'tv'] as const;

const NOTHING: Browsing = { browser: '', browserVersion: '', os: '', osVersion: '', device: '' };

const table = readFactTable('browser-names.csv', ['by', 'name', 'spoken']);
const spokenNames = (by: 'user_agent' | 'brand') =>
  new Map(table.filter((row) => row.by === by).map(({ name, spoken }) => [name, spoken]));
const SPOKEN = spokenNames('user_agent');
const BRANDS = spokenNames('brand');

/**
 * The browser, system and device behind a user agent and its client hints.
 *
 * - Shape: versions as people say them: `146`, `26.1`. A version that browsers froze to hide the
 *   real one (Windows NT 10.0, macOS 10.15.7, Android 10 without a model) comes only in a hint.
 * - Source: the package bowser; for Windows' hint, Microsoft's table of platform versions.
 */
export function findBrowsing(userAgent: string, hints: ClientHints | undefined): Browsing {
  if (userAgent === '') return NOTHING;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const name = browser.name ?? '';
  const brand = hints && findBrand(hints.brands);
  const system = os.name ?? '';
  return {
    browser: brand?.name ?? SPOKEN.get(name) ?? name,
    browserVersion: toSpokenVersion(brand?.version ?? browser.version ?? ''),
    os: system,
    osVersion: hintedVersion(system, hints) ?? statedVersion(userAgent, os),
    device: hints?.mobile === '?1' ? 'mobile' : toDevice(platform.type),
  };
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
  if (major === 0) return undefined; // Windows 7 and 8, which the user agent distinguishes.
  return major >= 13 ? '11' : '10';
}

/** What browsers of today say whatever the system is. */
const FROZEN = /Windows NT 10\.0|Mac OS X 10[_.]15|Android 10; K\)/;

function statedVersion(
  userAgent: string,
  { name, version, versionName }: { name?: string; version?: string; versionName?: string },
): string {
  if (FROZEN.test(userAgent)) return '';
  return toSpokenVersion((name === 'Windows' ? versionName : version) ?? '');
}

/** `146.0.7632.5` is 146, `26.1` and `26.1.1` are 26.1. */
function toSpokenVersion(version: string): string {
  const [major = '', minor = '0'] = version.split('.');
  return minor === '0' || !/^\d+$/.test(minor) ? major : `${major}.${minor}`;
}

function toDevice(type: string | undefined): Device | '' {
  return DEVICES.find((device) => device === type) ?? '';
}
