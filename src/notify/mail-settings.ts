import { ok, type Result, refuse } from '#domain/result.ts';
import type { MailSettings } from './mailer.ts';

/**
 * Reads the mail settings; `undefined` if no mail server is set.
 *
 * - Why BASE_URL is required: otherwise the host of a request, which the sender chooses, would decide
 *   where links in mails lead.
 */
export function readMailSettings(
  read: <T>(name: string, otherwise: T, parse: (text: string) => T | undefined, of: string) => T,
  baseUrl: string | undefined,
): Result<MailSettings | undefined, string> {
  const smtp = 'an smtp or smtps URL, such as smtps://user:password@mail.example.com';
  const smtpUrl = read('SMTP_URL', undefined, toSmtpUrl, smtp);
  const from = read('MAIL_FROM', undefined, toMailFrom, 'an address, such as me@example.com');
  if (smtpUrl === undefined) return ok(undefined);
  if (baseUrl !== undefined && from !== undefined) return ok({ smtpUrl, from });
  const missing = baseUrl === undefined ? 'BASE_URL' : 'MAIL_FROM';
  return refuse(`SMTP_URL is set, but ${missing} is not: mail needs both.`);
}

function toSmtpUrl(text: string): string | undefined {
  return /^smtps?:\/\/[^/\s]+\/?$/.test(text) && URL.canParse(text) ? text : undefined;
}

function toMailFrom(text: string): string | undefined {
  return /^[^\p{C}]*[^\s@]+@[^\s@]+$/u.test(text) && text.length <= 254 ? text : undefined;
}
