import { Command } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import { toScriptTag } from '#contract/sites/script-tag.ts';
import type { Site } from '#domain/site/site.ts';
import { SITE_SETTINGS } from '#domain/site/site-settings.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { removeSite } from '#manage/sites/remove-site.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { ask } from '../io/connection-fields.ts';
import { channelCommand } from '../io/site-channel.ts';
import { findPublicUrl } from '../stores/find-server.ts';
import { withAccounts } from '../stores/with-accounts.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

/** `tributary site`: adds, lists, configures and removes sites. */
export function siteCommand(): Command {
  return new Command('site')
    .description('add, list, configure and remove sites, and print their script tags')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(scriptCommand())
    .addCommand(removeCommand())
    .addCommand(channelCommand());
}

type AddOptions = AnswerOptions & {
  readonly timezone: string;
  readonly currency: string;
  readonly allow?: readonly string[];
};

function addCommand(): Command {
  return jsonCommand(
    'add',
    'add a site; events from its domain and subdomains are accepted from then on',
  )
    .argument('<domain>', 'such as example.com')
    .option('--timezone <zone>', 'time zone of its reports, such as Europe/Berlin', 'UTC')
    .option('--currency <code>', 'currency of its reports, such as EUR', 'USD')
    .option('--allow <host...>', 'also accept events from these hosts')
    .action((domain: string, { timezone, currency, allow = [], ...options }: AddOptions) =>
      withLedger(async (ledger) => {
        const site = await ledger.addSite({ domain, timezone, currency, allowedHosts: allow });
        if (!site.ok) throw new Error(site.error.message);
        writeAnswer(options, toAnswer(site.value), addedText(site.value));
      }),
    );
}

function listCommand(): Command {
  return jsonCommand('list', 'list the sites').action((options: AnswerOptions) =>
    withLedger(async (ledger) => {
      const sites = await ledger.listSites();
      const rows = sites.map((site) => [site.domain, site.id, site.timezone, site.currency]);
      const none = `There are no sites yet; add one with "${PROGRAM} site add DOMAIN".`;
      const table = toTable(['DOMAIN', 'ID', 'TIMEZONE', 'CURRENCY'], rows, none);
      writeAnswer(options, sites.map(toAnswer), table);
    }),
  );
}

function scriptCommand(): Command {
  return jsonCommand('script', 'print the script tag for a site’s pages')
    .argument('<site>', 'the site’s domain or id')
    .action((idOrDomain: string, options: AnswerOptions) =>
      withLedger(async (ledger) => {
        const { domain, ...site } = await findSiteOrThrow(ledger, idOrDomain);
        const script = { domain, ...toScript({ domain, ...site }) };
        writeAnswer(options, script, script.tag);
      }),
    );
}

const toScript = (site: Site) => toScriptTag(site, findPublicUrl());

function setCommand(): Command {
  const description = 'change a site; the value "default" resets a setting from --allow on';
  const command = jsonCommand('set', description)
    .argument('<site>', 'the site’s domain or id')
    .option('--domain <domain>', 'a new domain; events from the old one are refused from then on')
    .option('--name <name>', 'display name')
    .option('--timezone <zone>', 'time zone of its reports, including past ones')
    .option('--currency <code>', 'currency of its reports, including past ones')
    .option('--allow <host...>', 'the complete list of other hosts to accept events from');
  for (const [name, { placeholder, description }] of Object.entries(SITE_SETTINGS)) {
    command.option(`${toFlag(name)} <${placeholder}>`, description);
  }
  command.option('--rotate-identity-secret', 'replace the secret that signs claims (user_hash)');
  return command.action((idOrDomain: string, options: SetOptions) =>
    withLedger(async (ledger) => {
      const { json = false, rotateIdentitySecret = false, ...given } = options;
      const { allow, domain, name, timezone, currency, ...changes } = given;
      const { id, identitySecret } = await findSiteOrThrow(ledger, idOrDomain);
      const allowedHosts = allow?.join() === 'default' ? [] : allow;
      const wanted = Object.entries({ domain, name, timezone, currency, allowedHosts });
      const chosen = Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
      const site = await ledger.setSite(id, changes, chosen);
      if (!site.ok) throw new Error(site.error.message.replace(/^\w+(?= must be)/, toFlag));
      const lines = chosenOf(site.value).map(([name, value]) => [name, `${value}`]);
      const secret = await newSecret(ledger, site.value, identitySecret, rotateIdentitySecret);
      const shown = secret === undefined ? {} : { identity_secret: secret };
      const note = secret === undefined ? '' : `\n\n${secretText(secret)}`;
      const tag = domain && `\n\nReplace the tag on its pages:  ${toScript(site.value).tag}`;
      const text = `${site.value.domain}\n${toTable([], lines)}${tag ?? ''}${note}`;
      writeAnswer({ json }, { ...toAnswer(site.value), ...shown }, text);
    }),
  );
}

/** The option of a setting: `--mask-paths`. */
const toFlag = (name: string) =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The secret that the change has made, or else a new one if it is asked for. */
async function newSecret(ledger: Ledger, site: Site, before: string | undefined, isAsked: boolean) {
  if (site.identitySecret !== before) return site.identitySecret;
  if (!isAsked) return undefined;
  const secret = await ledger.rotateIdentitySecret(site.id);
  if (!secret.ok) throw new Error(secret.error.message);
  return secret.value;
}

type SetOptions = AnswerOptions & {
  readonly [Field in 'domain' | 'name' | 'timezone' | 'currency']?: string;
} & { readonly allow?: readonly string[]; readonly rotateIdentitySecret?: boolean };

function secretText(secret: string): string {
  return `Identity secret: ${secret}
Sign user ids with it on your server (HMAC-SHA256). It is not shown again. An earlier secret is no longer valid.`;
}

/** What is set, and which settings differ from their defaults, without channels, which have their own command. */
function chosenOf({ name, timezone, currency, allowedHosts, settings }: Site) {
  const { channels: _, ...chosen } = settings;
  const hosts = allowedHosts.length === 0 ? [] : [['allow', allowedHosts.join(' ')] as const];
  const always = Object.entries({ name, timezone, currency });
  return [...always, ...hosts, ...Object.entries(chosen)];
}

function removeCommand(): Command {
  return jsonCommand('remove', 'remove a site and its keys; recorded data stays')
    .argument('<site>', 'the site’s domain or id')
    .option('--yes', 'do not ask for confirmation')
    .action((idOrDomain: string, { yes, ...options }: AnswerOptions & { readonly yes?: boolean }) =>
      withLedger(async (ledger) => {
        const { id, domain } = await findSiteOrThrow(ledger, idOrDomain);
        await confirm(`${removalOf(domain, id)}\nRemove ${domain}?`, yes === true);
        await withAccounts((accounts) => removeSite({ siteStore: ledger, accounts }, id));
        writeAnswer(options, { id, domain, removed: true }, `Removed ${domain} and its keys.`);
      }),
    );
}

function removalOf(domain: string, id: string): string {
  return `Events from ${domain} will be refused, and its keys will stop working immediately. Recorded data stays
until its retention ends. Visitors can still be erased: visitor delete ID --site ${id}`;
}

/** Throws unless confirmed beforehand or at the terminal. */
async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) throw new Error(`${question} Add --yes to confirm.`);
  if (!/^y(es)?$/i.test(await ask(`${question} [y/N] `))) throw new Error('Nothing was removed.');
}

function toAnswer(site: Site) {
  const { id, domain, name, timezone, currency, allowedHosts: allowed_hosts, settings } = site;
  const made = { script: toScript(site).tag, created_at: new Date(site.createdAt).toISOString() };
  return { id, domain, name, timezone, currency, allowed_hosts, settings, ...made };
}

function addedText(site: Site): string {
  const { id, domain, timezone, currency } = site;
  return `Added ${domain} (${id}), with time zone ${timezone} and currency ${currency}.

Add this to its pages:         ${toScript(site).tag}
Create a key for its backend:  ${PROGRAM} key create --site ${domain}`;
}
