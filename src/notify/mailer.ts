/** The mail server and the sender's address. */
export type MailSettings = { readonly smtpUrl: string; readonly from: string };

/** A mail to one person, as text and optionally HTML. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** By which a mail program knows a mail that it has. */
  readonly messageId?: string;
};

/** Sends mails. */
export interface Mailer {
  /** Resolves when the mail server has accepted the mail. Throws if it does not. */
  send(mail: Mail): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** Sends mails through an SMTP server. The mail library is loaded on first use. */
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
