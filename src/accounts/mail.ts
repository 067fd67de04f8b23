/** How mails are sent: through which server, and in whose name. */
export type MailSettings = { readonly smtpUrl: string; readonly from: string };

/** A mail to one person, in text and perhaps in HTML. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends mails. */
export interface Mailer {
  /** Resolves when the mail server has taken it; throws when it does not. */
  send(mail: Mail): Promise<void>;
}

/** A mail server that does not answer keeps nobody waiting for long. */
const TIMEOUT_MS = 10_000;

/** Sends mails through an SMTP server. What speaks to it is loaded for the first mail. */
export function createMailer({ smtpUrl, from }: MailSettings): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({ from, ...mail });
      } finally {
        transport.close();
      }
    },
  };
}

/** The mail by which somebody sets a new password. */
export function toResetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Somebody, you perhaps, asked for a new password for ${to}.

Set it here, within an hour (the link works once):
${url}

If it was not you, there is nothing to do: your password stays as it is.
`,
  };
}

/** The mail that invites somebody to a site. */
export function toInvitationMail(
  to: string,
  about: { url: string; domain: string; by: string },
): Mail {
  return {
    to,
    subject: `See the figures of ${about.domain}`,
    text: `${about.by} invites you to see the figures of ${about.domain}.

Accept within seven days (the link works once):
${about.url}
`,
  };
}
