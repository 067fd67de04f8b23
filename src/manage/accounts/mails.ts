import type { Mail } from '#notify/mailer.ts';

/** The mail with a password reset link. */
export function toResetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Somebody requested a new password for ${to}.

To set it, open this link within an hour (it works once):
${url}

If it was not you, ignore this mail. Your password stays the same.
`,
  };
}

/** The mail with an invitation to a site. */
export function toInvitationMail(
  to: string,
  about: { url: string; domain: string; by: string },
): Mail {
  return {
    to,
    subject: `Invitation to ${about.domain}`,
    text: `${about.by} invites you to see the analytics of ${about.domain}.

To accept, open this link within seven days (it works once):
${about.url}
`,
  };
}

/** The mail with the link that makes its recipient's address the one of a login. */
export function toNewEmailMail(to: string, about: { url: string; before: string }): Mail {
  return {
    to,
    subject: 'Confirm your new address',
    text: `${about.before} wants to sign in as ${to} from now on.

If that is you, open this link within an hour, in a browser that is signed in (it works once):
${about.url}

If not, ignore this mail: without the link, nothing changes.
`,
  };
}

/** The mail to the address that a login had before. */
export function toOldEmailMail(to: string, email: string): Mail {
  return {
    to,
    subject: 'Your address was changed',
    text: `The address of your login has changed from ${to} to ${email}.

If it was not you, ask the operator of the server to change it back.
`,
  };
}
