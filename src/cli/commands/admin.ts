import { Command } from 'commander';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../answer.ts';
import { withAccounts } from '../with-accounts.ts';

/** `tributary admin`: lets people in who cannot let themselves in. */
export function adminCommand(): Command {
  return new Command('admin')
    .description('make one-time links: to begin, or to set a new password')
    .addCommand(linkCommand());
}

type LinkOptions = AnswerOptions & {
  readonly email?: string;
  /** Commander’s form of --without-second-factor. */
  readonly withoutSecondFactor?: boolean;
};

function linkCommand(): Command {
  return jsonCommand('link', 'print a link that works once, and for an hour')
    .option('--email <address>', 'of a person who sets a new password by it')
    .option(
      '--without-second-factor',
      'turn the second factor off with the new password: for a lost phone',
    )
    .action(({ email, withoutSecondFactor = false, ...options }: LinkOptions) => {
      if (withoutSecondFactor && email === undefined) {
        throw new Error('Whose second factor? Add --email ADDRESS.');
      }
      return withAccounts((accounts, server) => {
        const token =
          email === undefined
            ? accounts.makeStartLink()
            : accounts.makeResetLink(email, { dropsSecondFactor: withoutSecondFactor });
        if (token === undefined) throw new Error(toReason(email));
        const url = `${server}/${email === undefined ? 'start' : 'reset'}#${token}`;
        writeAnswer(options, { url }, url);
      });
    });
}

function toReason(email: string | undefined): string {
  if (email !== undefined) return `There is nobody with the address ${email}.`;
  return 'There is an owner already; "admin link --email ADDRESS" lets somebody set a new password.';
}
