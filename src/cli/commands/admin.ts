import { Command } from 'commander';
import type { Accounts } from '#accounts/open-accounts.ts';
import { PROGRAM } from '#contract/program.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';
import { withAccounts } from '../stores/with-accounts.ts';

/** `tributary admin`: gives access to people who cannot sign in by themselves. */
export function adminCommand(): Command {
  return new Command('admin')
    .description('create one-time links: for the first login, or to set a new password')
    .addCommand(linkCommand());
}

type LinkOptions = AnswerOptions & {
  readonly email?: string;
  readonly withoutSecondFactor?: boolean;
};

function linkCommand(): Command {
  return jsonCommand('link', 'print a link that works once, within an hour')
    .option('--email <address>', 'make it a link for this user to set a new password')
    .option('--without-second-factor', 'also turn off two-factor authentication, for a lost phone')
    .action(async (asked: LinkOptions, command: Command) => {
      const { email, withoutSecondFactor = false, ...options } = asked;
      if (withoutSecondFactor && email === undefined) {
        command.error('error: --without-second-factor needs --email ADDRESS');
      }
      const isFirst = email === undefined;
      const makeUrl = async (accounts: Accounts, server: string) => {
        const token = isFirst
          ? await accounts.makeStartLink()
          : await accounts.makeResetLink(email, { dropsSecondFactor: withoutSecondFactor });
        if (token === undefined) throw new Error(toReason(email));
        return `${server}/${isFirst ? 'start' : 'reset'}#${token}`;
      };
      const url = await withAccounts(makeUrl, { mayBegin: isFirst });
      writeAnswer(options, { url }, url);
    });
}

function toReason(email: string | undefined): string {
  if (email !== undefined) return `Nobody has the address ${email}.`;
  return `An owner already exists. To set a new password, use "${PROGRAM} admin link --email ADDRESS".`;
}
