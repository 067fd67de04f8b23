import { Command } from 'commander';
import type { Accounts } from '#accounts/open-accounts.ts';
import { PROGRAM } from '#contract/program.ts';
import type { Site } from '#domain/site/site.ts';
import { createMailer } from '#notify/mailer.ts';
import { sendTest } from '#notify/send-test.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, ofSiteCommand, writeAnswer } from '../io/answer.ts';
import { withAccounts } from '../stores/with-accounts.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

type TestOptions = AnswerOptions & { readonly site: string; readonly email?: string };

/** `tributary alert`: tries the ways that alerts go. */
export function alertCommand(): Command {
  return new Command('alert')
    .description('send a test alert')
    .addCommand(
      ofSiteCommand('test', 'send a test alert to the site’s webhook, or to a member by mail')
        .option('--email <address>', 'the member who gets it, instead of the webhook')
        .action(test),
    );
}

async function test({ site: named, email, ...options }: TestOptions): Promise<void> {
  const { mail, baseUrl } = readSettings();
  const site = await withLedger((ledger) => findSiteOrThrow(ledger, named));
  await withAccounts(async ({ notices, ...accounts }) => {
    const deps = { notices, mailer: mail && createMailer(mail), baseUrl, now: Date.now };
    const to = email === undefined ? 'webhook' : 'mail';
    const userId = email === undefined ? '' : await findMember(accounts, email, site);
    await sendTest(deps, site, userId, to);
    const said = `Sent a test alert to ${email ?? 'the webhook'}.`;
    writeAnswer(options, { site: site.domain, to: email ?? 'webhook' }, said);
  });
}

async function findMember(
  { findUserId, members }: Pick<Accounts, 'findUserId' | 'members'>,
  email: string,
  { id, domain }: Site,
): Promise<string> {
  const userId = await findUserId(email);
  const role = userId && (await members.findRole(userId, id));
  if (userId !== undefined && role !== undefined) return userId;
  const listed = `"${PROGRAM} member list --site ${domain}" lists its members`;
  throw new Error(`${email} is not a member of ${domain}; ${listed}.`);
}
