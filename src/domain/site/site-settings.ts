import type { SiteChannel } from '../acquisition/channels/site-channel.ts';
import { ok, type Result, refuse } from '../result.ts';
import { parseRetention } from '../time/parse-retention.ts';
import { parseExclusions } from './exclusions.ts';
import { parsePathPatterns } from './mask-path.ts';

/** A site's settings. A missing setting means its default. */
export type SiteSettings = {
  /** How long events and visits are kept: `90d`, `25mo`, `2y`. Default: for ever. */
  readonly retention?: string;
  /** How long raw events of connected payment providers are kept. Default: 90 days. */
  readonly providerEvents?: string;
  /** How to count visitors from data centre addresses. Default: people. */
  readonly dataCentres?: 'bots' | 'people';
  /** Which visitors get a daily hash instead of a cookie. Default: none. */
  readonly cookieless?: 'always' | 'gpc';
  /** Whether an identify from a browser requires a signature. By default it does not, and never joins. */
  readonly identify?: 'signed';
  /** Patterns of paths to mask, beside the secrets that are always masked. */
  readonly maskPaths?: readonly string[];
  /** Addresses, countries, paths and hosts whose events are dropped. Default: none. */
  readonly exclude?: readonly string[];
  /** Custom channels, in order of evaluation. `site channel` changes them. */
  readonly channels?: readonly SiteChannel[];
};

/** A setting that a single text can set. */
export type SiteSettingName = Exclude<keyof SiteSettings, 'channels'>;

type SettingRule<Value> = {
  /** The value's placeholder on the command line. */
  readonly placeholder: string;
  readonly description: string;
  /** Parses a text, or says what is allowed. */
  parse(text: string): Result<Value, string>;
};

/**
 * All settings of a site, for the command line and the ledger.
 *
 * - Shape: names are as in {@link SiteSettings}, and `--like-this` on the command line. The value
 *   `default` resets a setting.
 */
export const SITE_SETTINGS: {
  readonly [Name in SiteSettingName]-?: SettingRule<NonNullable<SiteSettings[Name]>>;
} = {
  retention: {
    placeholder: 'time',
    description:
      'how long to keep events and visits, such as 90d or 25mo; older ones are deleted for good',
    parse: parseTime,
  },
  providerEvents: {
    placeholder: 'time',
    description: 'how long to keep raw events of payment providers; 90d by default',
    parse: parseTime,
  },
  dataCentres: {
    placeholder: 'bots|people',
    description: 'how to count visitors from addresses in DATA_CENTRE_RANGES',
    parse: (text) =>
      text === 'bots' || text === 'people' ? ok(text) : refuse('must be bots or people'),
  },
  cookieless: {
    placeholder: 'always|gpc',
    description: 'identify visitors for one day, without a cookie: all, or those who send Sec-GPC',
    parse: (text) =>
      text === 'always' || text === 'gpc' ? ok(text) : refuse('must be always or gpc'),
  },
  identify: {
    placeholder: 'signed',
    description: 'accept an identify from a browser only with a signature (user_hash)',
    parse: (text) => (text === 'signed' ? ok(text) : refuse('must be signed')),
  },
  maskPaths: {
    placeholder: 'patterns',
    description: 'paths to record masked, such as "/orders/* /u/**", or with ! those to keep',
    parse(text) {
      const patterns = parsePathPatterns(text);
      return patterns
        ? ok(patterns)
        : refuse(
            'must be at most 20 paths such as /orders/* or /u/**, whose stars are whole segments',
          );
    },
  },
  exclude: {
    placeholder: 'list',
    description:
      'events to drop: IP addresses, ranges, countries, paths and hosts, such as "203.0.113.0/24 DE /admin/**"',
    parse(text) {
      const exclusions = parseExclusions(text);
      return exclusions
        ? ok(exclusions)
        : refuse(
            'must be at most 50 IP addresses, ranges such as 10.0.0.0/8, countries such as DE, paths such as /admin/** or hosts',
          );
    },
  },
};

function parseTime(text: string): Result<string, string> {
  return parseRetention(text) === undefined
    ? refuse('must be a time from 1d to 20y, such as 90d, 25mo or 2y')
    : ok(text);
}

/** The value that resets a setting. */
const DEFAULT = 'default';

/**
 * Changes settings, given as texts by name.
 *
 * - Refuses an unknown name or an invalid value, with a sentence that says what is allowed.
 */
export function changeSettings(
  settings: SiteSettings,
  changes: Readonly<Record<string, string>>,
): Result<SiteSettings, string> {
  const changed: Record<string, unknown> = { ...settings };
  for (const [name, text] of Object.entries(changes)) {
    if (!isSettingName(name)) {
      const known = Object.keys(SITE_SETTINGS).join(', ');
      return refuse(`There is no setting ${name}. The settings are ${known}.`);
    }
    if (text === DEFAULT) {
      delete changed[name];
      continue;
    }
    const value = SITE_SETTINGS[name].parse(text);
    if (!value.ok) return refuse(`${name} ${value.error}, or ${DEFAULT}, but was ${text}.`);
    changed[name] = value.value;
  }
  return ok(changed as SiteSettings);
}

function isSettingName(name: string): name is SiteSettingName {
  return Object.hasOwn(SITE_SETTINGS, name);
}
