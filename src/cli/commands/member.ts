import { Command, Option } from 'commander';
import type { Accounts } from '#accounts/open-accounts.ts';
import { PROGRAM } from '#contract/program.ts';
import { toEmail } from '#domain/account/user.ts';
import { ROLES, type Role } from '#domain/site/role.ts';
import { toMemberAnswer } from '#manage/accounts/member-answer.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../io/answer.ts';
import { withAccounts } from '../stores/with-accounts.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

type SiteOptions = AnswerOptions & { readonly site: string };

/** `tributary member`: invites, lists and removes the members of a site, and changes addresses. */
export function memberCommand(): Command {
  return new Command('member')
    .description('invite, list and remove the members of a site, and change their addresses')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
    .addCommand(emailCommand());
}

function addCommand(): Command {
  return jsonCommand('add', 'print an invitation link, valid for seven days')
    .argument('<email>', 'the user’s e-mail address')
    .requiredOption('--site <site>', 'the site’s domain or id')
    .addOption(
      new Option('--role <role>', 'their role on the site').choices(ROLES).default('viewer'),
    )
    .action((text: string, { site, role, ...options }: SiteOptions & { readonly role: Role }) =>
      withSite(site, async ({ siteId, accounts, server }) => {
        const email = toEmail(text);
        if (email === undefined) throw new Error(`${text} is not an e-mail address.`);
        const { proof } = await accounts.invitations.invite({ email, siteId, role });
        const url = `${server}/invite#${proof}`;
        writeAnswer(options, { email, role, url }, url);
      }),
    );
}

function listCommand(): Command {
  return jsonCommand('list', 'list the members of a site')
    .requiredOption('--site <site>', 'the site’s domain or id')
    .action(({ site, ...options }: SiteOptions) =>
      withSite(site, async ({ siteId, accounts }) => {
        const members = await accounts.members.list(siteId);
        const rows = members.map(({ email, role, name }) => [email, role, name]);
        const none = `Nobody yet; "${PROGRAM} admin link" prints a link for the first login.`;
        const text = toTable(['E-MAIL', 'ROLE', 'NAME'], rows, none);
        writeAnswer(options, members.map(toMemberAnswer), text);
      }),
    );
}

function removeCommand(): Command {
  return jsonCommand('remove', 'remove a member from a site, or delete their login')
    .argument('<email>', 'the user’s e-mail address')
    .option('--site <site>', 'the site’s domain or id; without it, their login is deleted')
    .action((email: string, { site, ...options }: AnswerOptions & { readonly site?: string }) =>
      withSite(site, async ({ siteId, accounts }) => {
        const { findUserId, removeUser, members } = accounts;
        const id = await findUserId(email);
        const isRemoved =
          id && (await (siteId === '' ? removeUser(email) : members.remove(id, siteId)));
        if (!isRemoved) throw new Error(await toReason(accounts, email));
        writeAnswer(options, { email, removed: true }, `Removed ${email}.`);
      }),
    );
}

function emailCommand(): Command {
  return jsonCommand('email', 'change the address that somebody signs in with')
    .argument('<old>', 'the user’s e-mail address')
    .argument('<new>', 'the new one; make sure that it is theirs')
    .action((old: string, text: string, options: AnswerOptions) =>
      withAccounts(async (accounts) => {
        const id = await accounts.findUserId(old);
        if (id === undefined) throw new Error(await toReason(accounts, old));
        const email = await accounts.setEmail({ id, email: old }, text);
        if (!email.ok) throw new Error(`${text} ${email.error.message}.`);
        writeAnswer(options, { email: email.value }, `Changed ${old} to ${email.value}.`);
      }),
    );
}

type AtSite = { readonly siteId: string; readonly accounts: Accounts; readonly server: string };

function withSite(site: string | undefined, work: (at: AtSite) => Promise<void>): Promise<void> {
  return withLedger(async (ledger) => {
    const siteId = site === undefined ? '' : (await findSiteOrThrow(ledger, site)).id;
    await withAccounts((accounts, server) => work({ siteId, accounts, server }));
  });
}

async function toReason(accounts: Accounts, email: string): Promise<string> {
  return (await accounts.findUserId(email)) === undefined
    ? `Nobody has the address ${email}.`
    : `${email} cannot be removed: they are not a member, or they own the server.`;
}
