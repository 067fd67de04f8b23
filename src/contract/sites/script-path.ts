import { hash } from 'node:crypto';

/** No vowels, so that the path never contains a word from a blocker's list. */
const LETTERS = 'bcdfghjkmnpqrtvw';

/**
 * The path from which browsers load a site's script and to which they send its events:
 * `/kfvtcqwnbdrh/app.js`.
 *
 * Why: blocker lists match hosts and paths. This path is neutral and unique to the site.
 */
export function toScriptPath(siteId: string): string {
  const digest = hash('sha256', `script path of ${siteId}`).slice(0, 12);
  const word = Array.from(digest, (digit) => LETTERS[Number.parseInt(digit, 16)]).join('');
  return `/${word}/app.js`;
}
