import type { SiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { parseRetention } from '#domain/time/parse-retention.ts';

/** What a site has chosen; what it has not is left out, and means the default. */
export type SiteSettings = {
  /** How long events and visits are kept: `90d`, `25mo`, `2y`. For ever by default. */
  readonly retention?: string;
  /** Whether visitors from addresses of data centres are bots. People by default. */
  readonly dataCentres?: 'bots' | 'people';
  /** Whose visitors are known by a hash of the day, not a cookie. Nobody's by default. */
  readonly cookieless?: 'always' | 'gpc';
  /** Whether a browser's identify needs a signature. Not by default; it then joins nobody. */
  readonly identify?: 'signed';
  /** Channels of its own, in the order in which they are asked; `site channel` changes them. */
  readonly channels?: readonly SiteChannel[];
};

/** The name of a setting that one text sets, as the ledger keeps it. */
export type SiteSettingName = Exclude<keyof SiteSettings, 'channels'>;

type SettingRule<Value> = {
  /** How the command line shows its value. */
  readonly placeholder: string;
  readonly description: string;
  /** The value that a text means, or what is allowed. */
  parse(text: string): Result<Value, string>;
};

/**
 * Every setting of a site: the one list that the command line and the ledger read.
 *
 * - Shape: a setting is named here as in {@link SiteSettings}, and `--like-this` on the command line;
 *   `default` as its value takes it back.
 */
export const SITE_SETTINGS: {
  readonly [Name in SiteSettingName]-?: SettingRule<NonNullable<SiteSettings[Name]>>;
} = {
  retention: {
    placeholder: 'time',
    description:
      'how long events and visits are kept, such as 90d or 25mo; what is older is deleted for good',
    parse: (text) =>
      parseRetention(text) === undefined
        ? refuse('is a time from 1d to 20y, such as 90d, 25mo or 2y')
        : ok(text),
  },
  dataCentres: {
    placeholder: 'bots|people',
    description: 'what visitors from the addresses of DATA_CENTRE_RANGES are taken for',
    parse: (text) =>
      text === 'bots' || text === 'people' ? ok(text) : refuse('is bots or people'),
  },
  cookieless: {
    placeholder: 'always|gpc',
    description: 'know visitors for a day, without a cookie: all, or those who send Sec-GPC',
    parse: (text) => (text === 'always' || text === 'gpc' ? ok(text) : refuse('is always or gpc')),
  },
  identify: {
    placeholder: 'signed',
    description: 'believe a browser who its visitor is only with a signature (user_hash)',
    parse: (text) => (text === 'signed' ? ok(text) : refuse('is signed')),
  },
};

/** What takes a setting back to its default. */
const DEFAULT = 'default';

/**
 * The settings with some of them changed, given as texts by name.
 *
 * - Refuses an unknown name and a value that its setting does not allow, with what is allowed.
 */
export function changeSettings(
  settings: SiteSettings,
  changes: Readonly<Record<string, string>>,
): Result<SiteSettings, string> {
  const changed: Record<string, unknown> = { ...settings };
  for (const [name, text] of Object.entries(changes)) {
    if (!isSettingName(name)) {
      const known = Object.keys(SITE_SETTINGS).join(', ');
      return refuse(`There is no setting ${name}; there are ${known}.`);
    }
    if (text === DEFAULT) {
      delete changed[name];
      continue;
    }
    const value = SITE_SETTINGS[name].parse(text);
    if (!value.ok) return refuse(`${name} ${value.error}, or ${DEFAULT}; it was ${text}.`);
    changed[name] = value.value;
  }
  return ok(changed as SiteSettings);
}

function isSettingName(name: string): name is SiteSettingName {
  return Object.hasOwn(SITE_SETTINGS, name);
}
