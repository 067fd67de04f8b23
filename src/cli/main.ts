#!/usr/bin/env node
import { type Command, CommanderError, program } from 'commander';
import { keepCompiled } from '#processes/keep-compiled.ts';
import { toReason } from './io/answer.ts';
import { readProgramVersion } from './io/version.ts';
import { warnAboutOtherServers } from './warn-about-other-servers.ts';

/** Commands are loaded on demand, so that `serve` does not load the dependencies of the others. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  site: async () => (await import('./commands/site.ts')).siteCommand(),
  key: async () => (await import('./commands/key.ts')).keyCommand(),
  payment: async () => (await import('./commands/payment.ts')).paymentCommand(),
  cost: async () => (await import('./commands/cost.ts')).costCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  provider: async () => (await import('./commands/provider.ts')).providerCommand(),
  visitor: async () => (await import('./commands/visitor.ts')).visitorCommand(),
  admin: async () => (await import('./commands/admin.ts')).adminCommand(),
  member: async () => (await import('./commands/member.ts')).memberCommand(),
  alert: async () => (await import('./commands/alert.ts')).alertCommand(),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  rates: async () => (await import('./commands/rates.ts')).ratesCommand(),
  'verify-install': async () =>
    (await import('./commands/verify-install.ts')).verifyInstallCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  verify: async () => (await import('./commands/verify.ts')).verifyCommand(),
  rebuild: async () => (await import('./commands/rebuild.ts')).rebuildCommand(),
  ledger: async () => (await import('./commands/ledger.ts')).ledgerCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
};

const FAILED = 1;
const WRONG_USAGE = 2;

/** Only the owner may read files and folders: they contain personal data and payments. */
const PRIVATE = 0o077;

process.umask(PRIVATE); // Child processes inherit it.
keepCompiled();
ignoreClosedPipes();
process.exitCode = await run(process.argv);

/** Returns the exit code: 0, 1 for an error, 2 for wrong usage. A command may set its own. */
async function run(argv: readonly string[]): Promise<number | undefined> {
  try {
    program.name('tributary').description('Web analytics that follows revenue to its source.');
    program.version(readProgramVersion(), '-V, --version', 'print the version');
    for (const command of await loadCommands(argv[2])) program.addCommand(command);
    explainWrongUsage(program, 'tributary');
    if (argv[2] !== 'serve') {
      program.hook('preAction', warnAboutOtherServers);
      program.hook('postAction', async (...run) =>
        (await import('./stores/with-accounts.ts')).noteCommand(...run),
      );
    }
    await program.parseAsync(argv);
    return process.exitCode as number | undefined;
  } catch (error) {
    return report(error);
  }
}

/** A reader such as `| head` may close the pipe early; the command still completes. */
function ignoreClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  });
}

function loadCommands(name: string | undefined): Promise<Command[]> {
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const needed = named === undefined ? Object.values(COMMANDS) : [named];
  return Promise.all(needed.map((load) => load()));
}

/** Makes commander throw on wrong usage instead of exiting, and point to `--help`, which says what is required. */
function explainWrongUsage(command: Command, path: string): void {
  command.exitOverride().showHelpAfterError(`Run "${path} --help" for usage.`);
  for (const each of command.options) if (each.mandatory) each.description += ' (required)';
  for (const child of command.commands) explainWrongUsage(child, `${path} ${child.name()}`);
}

/** Returns the exit code. Commander has already printed its own errors. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  process.stderr.write(`tributary: ${toReason(error)}\n`);
  return FAILED;
}
