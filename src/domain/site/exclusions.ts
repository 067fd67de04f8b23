const EXCLUSIONS_MAX = 50;

const OCTET = String.raw`(25[0-5]|2[0-4]\d|1?\d?\d)`;
/** An address, or a range of them, of either family. */
const ADDRESS = new RegExp(
  String.raw`^(${OCTET}(\.${OCTET}){3}(/([12]?\d|3[0-2]))?|[\da-f]{0,4}(:[\da-f]{0,4}){2,7}(/(1[01]\d|12[0-8]|\d?\d))?)$`,
  'i',
);
const COUNTRY = /^[A-Z]{2}$/i;
/** As in masks: its segments may be `*`, and its last one `**`. */
const PATH = /^(?=.{2,255}$)(?:\/(?:\*|[^\s/*,]*))*(?:\/\*\*)?$/;
/** A last label of digits is that of a mistyped address. */
const HOST = /^(?=.{1,253}$)(?!(?:.*\.)?\d+$)[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u;

/** What a site excludes. */
export type Exclusions = {
  readonly addresses: readonly string[];
  readonly countries: readonly string[];
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
};

/**
 * Parses what to exclude, separated by blanks or commas: `203.0.113.0/24 DE /admin/** staging.example.com`. Undefined if
 * one is nothing of these, or if they are none or too many.
 */
export function parseExclusions(text: string): readonly string[] | undefined {
  const all = text.split(/[\s,]+/).filter((each) => each !== '');
  const isValid = all.length > 0 && all.every((each) => kindOf(each) !== undefined);
  return isValid && all.length <= EXCLUSIONS_MAX ? all : undefined;
}

/** Sorts parsed exclusions by their kinds. */
export function sortExclusions(all: readonly string[]): Exclusions {
  const of = (kind: keyof Exclusions) => all.filter((each) => kindOf(each) === kind);
  return {
    ...{ addresses: of('addresses'), paths: of('paths') },
    countries: of('countries').map((country) => country.toUpperCase()),
    hosts: of('hosts').map((host) => host.toLowerCase()),
  };
}

function kindOf(text: string): keyof Exclusions | undefined {
  if (ADDRESS.test(text)) return 'addresses';
  if (COUNTRY.test(text)) return 'countries';
  if (text.startsWith('/')) return PATH.test(text) ? 'paths' : undefined;
  return HOST.test(text) ? 'hosts' : undefined;
}
