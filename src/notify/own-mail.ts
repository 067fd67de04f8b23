import type { Subscriber } from '#domain/account/notices.ts';
import type { Mail } from './mailer.ts';

/** A mail without its recipient. */
export type OwnMail = { readonly subject: string; readonly text: string; readonly html: string };

/**
 * Addresses a mail to a subscriber, and adds an unsubscribe link and the headers for one-click
 * unsubscription.
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
    text: `${mail.text}\n\nUnsubscribe:\n${url}\n`,
    html:
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">` +
      `<body style="margin:0;padding:12px;background:#f7f7f5;color:#1b1d1f;` +
      `font:14px/20px system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:24px;` +
      `background:#fff;border:1px solid #e6e7e4;border-radius:12px">${mail.html}\n` +
      `<p style="color:#6c7378;font-size:12px"><a href="${url}" style="color:#6c7378">Unsubscribe</a></p>` +
      `</div></body></html>`,
    headers: {
      'List-Unsubscribe': `<${url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** Escapes text for HTML, because visitors can send anything. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
