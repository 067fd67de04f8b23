import type { Mail } from '#accounts/mail.ts';
import type { Subscriber } from '#accounts/notices.ts';

/** A mail before it has somebody to go to. */
export type OwnMail = { readonly subject: string; readonly text: string; readonly html: string };

/**
 * The mail to a subscriber, with the way to end it: a link, and the headers by which mail programs offer one
 * click.
 *
 * - Source: RFC 8058.
 */
export function toSubscriber(
  mail: OwnMail,
  { email, token }: Pick<Subscriber, 'email' | 'token'>,
  baseUrl: string,
): Mail {
  const url = `${baseUrl}/unsubscribe/${token}`;
  return {
    to: email,
    subject: mail.subject,
    text: `${mail.text}\n\nNo more of these mails:\n${url}\n`,
    html:
      `<!doctype html><html lang="en"><body style="margin:0;padding:24px;background:#f7f7f5;color:#1b1d1f;` +
      `font:14px/20px system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:24px;` +
      `background:#fff;border:1px solid #e6e7e4;border-radius:12px">${mail.html}\n` +
      `<p style="color:#6c7378;font-size:12px"><a href="${url}" style="color:#6c7378">No more of these mails</a></p>` +
      `</div></body></html>`,
    headers: {
      'List-Unsubscribe': `<${url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** Text as HTML shows it: what visitors send may be anything. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
