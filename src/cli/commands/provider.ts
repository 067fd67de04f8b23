import { Argument, Command } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import type { ProviderConnection } from '#contract/sites/providers.ts';
import { countNoun } from '#domain/count-noun.ts';
import type { Connection } from '#domain/site/connection.ts';
import { connect } from '#providers/connections/connect.ts';
import { toConnectionDetails, toProviderConnection } from '#providers/connections/describe.ts';
import { testConnection } from '#providers/connections/test-connection.ts';
import { findProvider, PROVIDERS } from '#providers/known/providers.ts';
import type { Provider } from '#providers/provider.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { backfill, parseDate } from '../io/backfill.ts';
import { ask, change, type FieldOptions, readFields, withFields } from '../io/connection-fields.ts';
import { toConnectionText, toGuide } from '../io/connection-text.ts';
import { parseDuration } from '../io/parse-duration.ts';
import { findPublicUrl, findServer, postToServer } from '../stores/find-server.ts';
import {
  type Connections,
  findConnectionOrThrow,
  takeWaiting,
  withConnections,
} from '../stores/with-connections.ts';
import { findSiteOrThrow } from '../stores/with-ledger.ts';

/** `tributary provider`: connects payment providers, whose payments then track themselves. */
export function providerCommand(): Command {
  return new Command('provider')
    .description('connect payment providers, test them, and read their events again')
    .addCommand(connectCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(rotateCommand())
    .addCommand(replayCommand())
    .addCommand(backfillCommand())
    .addCommand(testCommand())
    .addCommand(disconnectCommand());
}

type ConnectOptions = FieldOptions & { readonly site: string; readonly since?: number };

function connectCommand(): Command {
  const names = PROVIDERS.map(({ name }) => name);
  return withFields(jsonCommand('connect', 'connect a provider to a site'))
    .requiredOption('--site <site>', 'the site’s domain or id')
    .addArgument(new Argument('<provider>', 'whose payments to record').choices(names))
    .option('--since <date>', 'read its history from this day on; without it, all', parseDate)
    .action((provider: string, { site, since, ...options }: ConnectOptions) =>
      withConnections(async (connections) => {
        const { id: siteId } = await findSiteOrThrow(connections.ledger, site);
        const fields = await readFields(options);
        const asked = { siteId, provider, name: options.name, fields, since };
        const made = await connect(connections, asked);
        if (!made.ok) throw new Error(`${made.error.field} ${made.error.message}.`);
        const connection = await askForSecret(connections, made.value, options);
        const known = findProvider(provider) as Provider;
        const answer = describe(connections, connection);
        const { eventTypes: event_types, visitorLine: visitor_line } = known;
        writeAnswer(options, { ...answer, event_types, visitor_line }, toGuide(answer, known));
      }),
    );
}

function listCommand(): Command {
  return jsonCommand('list', 'list the connections')
    .option('--site <site>', 'only the connections of this site, by domain or id')
    .action(({ site, ...options }: AnswerOptions & { readonly site?: string }) =>
      withConnections(async (connections) => {
        const { ledger } = connections;
        const siteId = site === undefined ? undefined : (await findSiteOrThrow(ledger, site)).id;
        const all = await ledger.listConnections(siteId);
        const answers = all.map((connection) => describe(connections, connection));
        const rows = answers.map((each) => [
          ...[each.id, ledger.findSite(each.site)?.domain ?? each.site, each.provider, each.name],
          ...[each.last_event_at ?? 'never', each.last_error ?? ''],
        ]);
        const heading = ['ID', 'SITE', 'PROVIDER', 'NAME', 'LAST EVENT', 'LAST ERROR'];
        const none = `No provider is connected yet; connect one with "${PROGRAM} provider connect stripe --site DOMAIN".`;
        writeAnswer(options, answers, toTable(heading, rows, none));
      }),
    );
}

function showCommand(): Command {
  return ofConnection('show', 'show a connection and what became of its events', async (found) => {
    const { connections, connection } = found;
    const answer = describe(connections, connection);
    const counts = await connections.ledger.countInbox(connection.id);
    const others = await connections.ledger.listConnections(connection.siteId);
    const details = toConnectionDetails(answer, counts, others);
    return { answer: details, text: toConnectionText(details) };
  });
}

function rotateCommand(): Command {
  const command = ofConnection<FieldOptions>(
    'rotate',
    'replace secrets and settings; the secret before is accepted for 24 more hours',
    async ({ connections, connection, options }) => {
      const given = await readFields(options);
      const isNamed = options.name !== undefined || Object.keys(given).length > 0;
      const asked: Parameters<typeof change>[2] = isNamed
        ? { name: options.name, fields: given }
        : await askForNew(connection);
      const changed = await change(connections, connection, asked);
      const answer = describe(connections, changed);
      const address = asked.hasNewToken ? `\n\nIts new address: ${answer.webhook_url}` : '';
      return { answer, text: `Changed ${connection.id}.${address}` };
    },
  );
  return withFields(command);
}

type ReplayOptions = AnswerOptions & { readonly failed?: boolean; readonly since?: number };

function replayCommand(): Command {
  const since = 'only events received within this time, such as 7d';
  return ofConnection<ReplayOptions>(
    'replay',
    'read events again, for example after an update; nothing is counted twice',
    async ({ connections: { ledger }, connection: { id }, options }) => {
      const since = options.since === undefined ? undefined : Date.now() - options.since;
      const events = await ledger.replayEvents(id, { failed: options.failed ?? false, since });
      await takeWaiting();
      const { events: counts } = await ledger.countInbox(id);
      const failed = counts.filter(({ state }) => state === 'failed');
      const left = failed.reduce((sum, { count }) => sum + count, 0);
      return {
        answer: { events, failed: left },
        text: `Read ${countNoun(events, 'event')}; ${left} failed.`,
      };
    },
  )
    .option('--failed', 'only events that failed or whose type was unknown')
    .option('--since <duration>', since, parseDuration);
}

function backfillCommand(): Command {
  return ofConnection<AnswerOptions & { readonly since?: number }>(
    'backfill',
    'read the history of a connection; goes on where it stopped, and counts nothing twice',
    ({ connections, connection, options }) => backfill(connections, connection, options.since),
  ).option('--since <date>', 'from this day on, such as 2026-01-31; without it, all', parseDate);
}

function testCommand(): Command {
  return ofConnection('test', 'send a signed test event through the server', async (found) => {
    const { connections, connection } = found;
    const { ledger, openSecrets } = connections;
    const server = await findServer();
    try {
      const steps = await testConnection({
        ...{ connection, secrets: openSecrets(connection, Date.now()), now: Date.now },
        findEvent: ledger.findEvent,
        deliver: (...sent) => postToServer(server, ...sent),
      });
      if (steps.some(({ ok }) => !ok)) process.exitCode = 1;
      const lines = steps.map(
        ({ step, ok, found: what }) => `${ok ? 'ok   ' : 'FAULT'} ${step}: ${what}`,
      );
      return { answer: steps, text: lines.join('\n') };
    } finally {
      await server.end();
    }
  });
}

function disconnectCommand(): Command {
  return ofConnection('disconnect', 'remove a connection; its payments stay', async (found) => {
    const { id } = found.connection;
    await found.connections.ledger.removeConnection(id);
    const text = `Disconnected ${id}. Remove its webhook at the provider, too.`;
    return { answer: { id, removed: true }, text };
  });
}

type Found<Options> = {
  readonly connections: Connections;
  readonly connection: Connection;
  readonly options: Options;
};

/** Builds a command for one connection. */
function ofConnection<Options extends AnswerOptions>(
  name: string,
  description: string,
  work: (found: Found<Options>) => Promise<{ readonly answer: unknown; readonly text: string }>,
): Command {
  return jsonCommand(name, description)
    .argument('<id>', 'the id shown by "provider list"')
    .action((id: string, options: Options) =>
      withConnections(async (connections) => {
        const connection = findConnectionOrThrow(connections.ledger, id);
        const { answer, text: shown } = await work({ connections, connection, options });
        writeAnswer(options, answer, shown);
      }),
    );
}

/** What takes the place of the secret: another one, or another token for the address. */
async function askForNew(connection: Connection) {
  const { hasTokenInAddress = false } = findProvider(connection.provider) ?? {};
  if (hasTokenInAddress) return { fields: {}, hasNewToken: true };
  const label = labelOfSecret(connection);
  const secret = await ask(`${label}: `);
  if (secret === '') throw new Error(`The ${label} is empty, so nothing was changed.`);
  return { fields: { signing_secret: secret } };
}

/** What its provider calls the secret. */
function labelOfSecret({ provider }: Connection): string {
  const fields = findProvider(provider)?.fields ?? [];
  return fields.find(({ name }) => name === 'signing_secret')?.label ?? 'Signing secret';
}

/** Shows the address that the provider needs, and asks for the secret that it then shows. */
async function askForSecret(
  connections: Connections,
  connection: Connection,
  { json }: AnswerOptions,
): Promise<Connection> {
  const { missing, webhook_url: url } = describe(connections, connection);
  if (!missing.includes('signing_secret') || json || !process.stdin.isTTY) return connection;
  process.stderr.write(`Create a webhook for this address: ${url}\n`);
  const secret = await ask(`${labelOfSecret(connection)} (empty: later): `);
  if (secret === '') return connection;
  return change(connections, connection, { fields: { signing_secret: secret } });
}

function describe({ openSecrets }: Connections, connection: Connection): ProviderConnection {
  return toProviderConnection(connection, openSecrets(connection, Date.now()), findPublicUrl());
}
