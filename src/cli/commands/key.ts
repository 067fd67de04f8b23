import { Command, InvalidArgumentError, Option } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import { toKeyAnswer } from '#contract/sites/key-answer.ts';
import type { ApiKey, CreatedKey } from '#domain/site/api-key.ts';
import { DEFAULT_SCOPES, type KeyScope, METRICS_SCOPE, SCOPES } from '#domain/site/scope.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { parseDuration } from '../io/parse-duration.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

const LISTED = `"${PROGRAM} key list" lists the keys`;
const LIFETIME = 'lifetime, such as 90d or 24h; unlimited by default';

/** `tributary key`: creates, lists, revokes and rotates API keys. */
export function keyCommand(): Command {
  return new Command('key')
    .description('create, list, revoke and rotate API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand());
}

type CreateOptions = AnswerOptions & {
  readonly site?: string;
  readonly metrics?: boolean;
  readonly name?: string;
  readonly scopes: readonly KeyScope[];
  readonly expires?: number;
};

function createCommand(): Command {
  return jsonCommand('create', 'create a key; it is shown only once')
    .option('--site <site>', 'the domain or id of the site')
    .addOption(
      new Option('--metrics', 'create a key for /metrics instead').conflicts(['site', 'scopes']),
    )
    .option('--name <name>', 'a name to recognise the key by')
    .addOption(
      new Option('--scopes <list>', `comma-separated permissions: ${SCOPES.join(', ')}`)
        .argParser(toScopes)
        .default(DEFAULT_SCOPES, 'all but visitors:delete and annotations:write'),
    )
    .option('--expires <duration>', LIFETIME, toLifetimeMs)
    .action((asked: CreateOptions, command: Command) => {
      const { site, metrics, name = '', expires, ...options } = asked;
      if (site === undefined && metrics !== true) {
        command.error("error: required option '--site <site>' not specified, or --metrics");
      }
      return withLedger(async (ledger) => {
        const siteId = site === undefined ? '' : (await findSiteOrThrow(ledger, site)).id;
        const scopes: readonly KeyScope[] = site === undefined ? [METRICS_SCOPE] : options.scopes;
        const expiresAt = expires === undefined ? undefined : Date.now() + expires;
        const created = await ledger.createKey({ siteId, name, scopes, expiresAt });
        await writeCreated(options, ledger, created);
      });
    });
}

function listCommand(): Command {
  return jsonCommand('list', 'list the keys')
    .option('--site <site>', 'only the keys of this site, by domain or id')
    .action(({ site, ...options }: AnswerOptions & { readonly site?: string }) =>
      withLedger(async (ledger) => {
        const siteId = site === undefined ? undefined : (await findSiteOrThrow(ledger, site)).id;
        const keys = (await ledger.listKeys(siteId)).map((key) => toAnswer(ledger, key));
        const rows = keys.map(({ id, name, state, ...key }) => [
          ...[id, key.site ?? '(metrics)', `${key.prefix}…${key.last4}`],
          ...[state, key.last_used_at ?? 'never', name],
        ]);
        const none = `There is no key yet; create one with "${PROGRAM} key create --site DOMAIN".`;
        const heading = ['ID', 'SITE', 'KEY', 'STATE', 'LAST USED', 'NAME'];
        writeAnswer(options, keys, toTable(heading, rows, none));
      }),
    );
}

function revokeCommand(): Command {
  return jsonCommand('revoke', 'revoke a key; it stops working within a second')
    .argument('<id>', 'the id shown by "key list"')
    .action((id: string, options: AnswerOptions) =>
      withLedger(async (ledger) => {
        const key = await ledger.revokeKey(id);
        if (key === undefined) throw new Error(`There is no key ${id}; ${LISTED}.`);
        writeAnswer(options, toAnswer(ledger, key), `Revoked ${id}.`);
      }),
    );
}

function rotateCommand(): Command {
  return jsonCommand('rotate', 'replace a key with a new one; the old one stays valid for a while')
    .argument('<id>', 'the id shown by "key list"')
    .addOption(
      new Option('--overlap <duration>', 'how long the old key stays valid')
        .argParser(parseDuration)
        .default(parseDuration('24h'), '24h'),
    )
    .action((id: string, { overlap, ...options }: AnswerOptions & { readonly overlap: number }) =>
      withLedger(async (ledger) => {
        const created = await ledger.rotateKey(id, { overlapMs: overlap });
        if (created === undefined)
          throw new Error(`There is no key ${id} that is still valid; ${LISTED}.`);
        await writeCreated(options, ledger, created);
      }),
    );
}

async function writeCreated(options: AnswerOptions, ledger: Ledger, { id, key }: CreatedKey) {
  const created = (await ledger.listKeys()).find((each) => each.id === id);
  const answer = { id, key, ...(created && toAnswer(ledger, created)) };
  writeAnswer(options, answer, `${key}\n\nSave it now: it is not shown again. Its id is ${id}.`);
}

function toAnswer(ledger: Ledger, key: ApiKey) {
  const site = key.siteId === '' ? null : (ledger.findSite(key.siteId)?.domain ?? key.siteId);
  const { id, ...answer } = toKeyAnswer(key);
  return { id, site, ...answer };
}

function toScopes(text: string): KeyScope[] {
  const names = text.split(',').map((name) => name.trim());
  const scopes = SCOPES.filter((scope) => names.includes(scope));
  const unknown = names.filter((name) => !SCOPES.some((scope) => scope === name));
  if (unknown.length === 0) return scopes;
  const known = `Scopes are ${SCOPES.join(', ')}.`;
  throw new InvalidArgumentError(`Unknown scope ${unknown.join(', ')}. ${known}`);
}

/** Parses a lifetime. Refuses 0, as the key would expire at once. */
function toLifetimeMs(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs > 0) return durationMs;
  throw new InvalidArgumentError('The lifetime of a key is at least 1s.');
}
