import type { AuditedChange } from '#domain/account/audit.ts';

/** The commands that change sites, keys, logins or data, and those that export personal data. */
const CHANGING =
  /^(site (channel )?(add|set|remove)|key (create|rotate|revoke)|member (add|remove|email)|admin link|demo|(payment|visitor) (void|correct|delete|separate|import(?!s)|undo-import)|cost (import|remove)|export (events|payments|persons))\b/;
/** Of these, only the site is recorded: no store may keep the id of an erased visitor. */
const ABOUT_VISITORS = /^(payment|visitor) (?!undo-import)/;
const UNSAID = ['--json', '--yes'];

/** A command as the audit log records it, by its words; undefined if it changes nothing. */
export function toAuditedCommand(
  words: readonly string[],
  site: string | undefined,
): AuditedChange | undefined {
  const said = words.filter((word) => !UNSAID.includes(word)).join(' ');
  const [name] = CHANGING.exec(said) ?? [];
  if (name === undefined || words.includes('--dry-run')) return undefined;
  const about = ABOUT_VISITORS.test(name) ? `${name} --site ${site}` : said;
  return { siteId: '', what: 'command run', about };
}
