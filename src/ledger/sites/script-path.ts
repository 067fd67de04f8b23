import { hash } from 'node:crypto';

/** Without vowels, so that no word that a blocker knows comes out by chance. */
const LETTERS = 'bcdfghjkmnpqrtvw';

/**
 * Where browsers get a site's script and send its events: `/kfvtcqwnbdrh/app.js`.
 *
 * Why: lists of blockers name hosts and paths. This path says nothing, and no two sites share one.
 */
export function toScriptPath(siteId: string): string {
  const digest = hash('sha256', `script path of ${siteId}`).slice(0, 12);
  const word = Array.from(digest, (digit) => LETTERS[Number.parseInt(digit, 16)]).join('');
  return `/${word}/app.js`;
}
