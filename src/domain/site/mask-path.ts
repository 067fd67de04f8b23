import { decodeAscii, MASK, maskSecrets } from './mask-secrets.ts';

const PATTERNS_MAX = 20;
/** A path whose segments may be `*`, and its last one `**`; with `!`, one to keep. */
const PATTERN = /^(?=.{2,255}$)!?(?:\/(?:\*|[^\s/*,]*))*(?:\/\*\*)?$/;

/** Parses patterns, separated by blanks or commas; undefined if one is invalid, or if they are none or too many. */
export function parsePathPatterns(text: string): readonly string[] | undefined {
  const patterns = text.split(/[\s,]+/).filter((each) => each !== '');
  const isValid = patterns.length > 0 && patterns.every((each) => PATTERN.test(each));
  if (!isValid || patterns.length > PATTERNS_MAX) return undefined;
  return patterns.map((each) => each.replace(/[^!-~]+/gu, encodeURIComponent));
}

/**
 * Masks a page's path by the first of the site's patterns that matches, and secrets as {@link maskSecrets} does.
 *
 * - Shape: `/orders/*` makes `/orders/…` of `/orders/17`, `/u/**` makes `/u/…` of all paths below `/u`.
 *   `!/docs/*` keeps a path as it is. Case and slashes at the end or doubled do not matter.
 */
export function maskPath(path: string, patterns: readonly string[] = []): string {
  if (patterns.length === 0) return maskSecrets(path);
  const steps = toSteps(path);
  const pattern = patterns.find((each) => matches(steps, toSteps(each.replace('!', ''))));
  if (pattern?.startsWith('!')) return path;
  return maskSecrets(pattern?.replaceAll(/\*+/g, MASK) ?? path);
}

/** Whether a path matches one of the patterns. */
export function isPathAmong(path: string, patterns: readonly string[]): boolean {
  const steps = toSteps(path);
  return patterns.some((each) => matches(steps, toSteps(each)));
}

function toSteps(path: string): readonly string[] {
  const steps = path.split('/').filter((step) => step !== '');
  return steps.map((step) => decodeAscii(step).toLowerCase());
}

function matches(steps: readonly string[], pattern: readonly string[]): boolean {
  const isAsLong = steps.length === pattern.length;
  if (!isAsLong && (steps.length < pattern.length || pattern.at(-1) !== '**')) return false;
  return pattern.every((step, index) => step.startsWith('*') || step === steps[index]);
}
