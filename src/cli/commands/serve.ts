import { Command } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import { toDiskError } from '#processes/start-troubles.ts';
import { type Supervisor, startSupervisor } from '#processes/supervisor.ts';
import { readSettings } from '#settings.ts';
import { endWithParent } from '#warehouse/engine/end-with-parent.ts';

/** `tributary serve`: runs the server until a signal stops it. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server')
    .option('--json', 'print one JSON value when the server is ready')
    .addHelpText(
      'after',
      '\nSettings come from the environment and from .env. docs/operations.md lists them.',
    )
    .action(async (options: { json?: boolean }) => {
      const settings = readSettings();
      let starting: Promise<Supervisor> | undefined;
      let ending: Promise<void> | undefined;
      const end = () => {
        ending ??= endOf(starting); // A signal during the start stops the server right after it.
      };
      process.on('SIGTERM', end);
      process.on('SIGINT', end);
      endWithParent()(end); // A command that started this server may be killed.
      process.channel?.unref(); // A failed start exits even while its parent keeps the channel open.
      starting = startSupervisor({ settings, log: writeLog });
      const supervisor = await starting.catch((error) => {
        throw toDiskError(error, settings.dataDir);
      });
      if (ending !== undefined) return;
      const { url, startToken } = supervisor;
      const { dataDir: data_dir, baseUrl = url } = settings;
      const start_url = startToken && `${baseUrl}/start#${startToken}`;
      process.stdout.write(
        options.json === true
          ? `${JSON.stringify({ url, pid: process.pid, data_dir, start_url })}\n`
          : welcome(url, data_dir, start_url),
      );
    });
}

/** Ignores a failed start, which is reported where it is awaited. */
async function endOf(starting: Promise<Supervisor> | undefined): Promise<void> {
  const supervisor = await starting?.catch(() => undefined);
  if (supervisor === undefined) return;
  await supervisor.end();
  process.exit(0);
}

/**
 * Writes one JSON line to stderr, in the format of the web process's log.
 *
 * Why not the web process's logger: the supervisor loads as little as possible, to stay small.
 */
function writeLog(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const LEVELS = { info: 30, warn: 40, error: 50 };
  const line = {
    level: LEVELS[level],
    time: Date.now(),
    pid: process.pid,
    ...fields,
    msg: message,
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function welcome(url: string, dataDir: string, startUrl: string | undefined): string {
  const begin =
    startUrl &&
    `\nCreate your login here (the link works once, within an hour):\n\n  ${startUrl}\n`;
  return `
Tributary is running at ${url}   (data in ${dataDir})
${begin ?? ''}
  1. Add your site        ${PROGRAM} site add example.com
  2. Create an API key    ${PROGRAM} key create --site example.com
  3. Add the script       ${PROGRAM} site script example.com
  4. Report revenue       POST ${url}/api/v1/payments   (API docs: ${url}/docs)

To explore with data, run "${PROGRAM} demo": it adds a realistic shop. Ctrl-C stops the server.

`;
}
