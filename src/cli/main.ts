#!/usr/bin/env node
import { type Command, CommanderError, program } from 'commander';
import { sayWhereElse } from './say-where-else.ts';

/** Loaded when named, so that `serve` does not wait for what the others need. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  site: async () => (await import('./commands/site.ts')).siteCommand(),
  key: async () => (await import('./commands/key.ts')).keyCommand(),
  payment: async () => (await import('./commands/payment.ts')).paymentCommand(),
  visitor: async () => (await import('./commands/visitor.ts')).visitorCommand(),
  admin: async () => (await import('./commands/admin.ts')).adminCommand(),
  member: async () => (await import('./commands/member.ts')).memberCommand(),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  rates: async () => (await import('./commands/rates.ts')).ratesCommand(),
  verify: async () => (await import('./commands/verify.ts')).verifyCommand(),
  rebuild: async () => (await import('./commands/rebuild.ts')).rebuildCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
};

const FAILED = 1;
const WRONG_USAGE = 2;

/** Files and folders are for their owner alone: they hold people's addresses and payments. */
const PRIVATE = 0o077;

process.umask(PRIVATE); // Of every process that is started from here, too.
toleratePipesThatClose();
process.exitCode = await run(process.argv);

/** The exit code: 0, 1 for an error, 2 for wrong usage. Commands may set one of their own. */
async function run(argv: readonly string[]): Promise<number | undefined> {
  try {
    program.name('tributary').description('Web analytics that follows revenue to its source.');
    for (const command of await loadCommands(argv[2])) program.addCommand(command);
    answerMistakes(program, 'tributary');
    if (argv[2] !== 'serve') program.hook('preAction', sayWhereElse);
    await program.parseAsync(argv);
    return process.exitCode as number | undefined;
  } catch (error) {
    return report(error);
  }
}

/** Who reads the output through `| head` has had enough; the command does its work all the same. */
function toleratePipesThatClose(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  });
}

function loadCommands(name: string | undefined): Promise<Command[]> {
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const needed = named === undefined ? Object.values(COMMANDS) : [named];
  return Promise.all(needed.map((load) => load()));
}

/** Mistakes are thrown instead of ending the process, and reported with where to read on. */
function answerMistakes(command: Command, path: string): void {
  command.exitOverride().showHelpAfterError(`${path} --help says what there is.`);
  for (const child of command.commands) answerMistakes(child, `${path} ${child.name()}`);
}

/** Commander has already written its own complaints. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : WRONG_USAGE;
  }
  process.stderr.write(`tributary: ${error instanceof Error ? error.message : error}\n`);
  return FAILED;
}
