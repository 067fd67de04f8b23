import { findUrlFault, sendGuarded } from '#enrich/guarded-request.ts';
import { escapeHtml } from './own-mail.ts';

const TIMEOUT_MS = 10_000;
const TELEGRAM = 'api.telegram.org';

/** Describes what is wrong with a webhook's URL; `undefined` if it is acceptable. */
export function findWebhookFault(text: string, isTrusted: boolean): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    return 'must be an https URL, such as https://hooks.example.com/tributary';
  }
  if (url.hostname === TELEGRAM && !url.searchParams.has('chat_id')) {
    return 'must end with ?chat_id= and the number of the chat';
  }
  return isTrusted ? undefined : findUrlFault(url);
}

/** Something to tell: in a few words, and in full. */
type Told = Readonly<Record<string, unknown>> & {
  readonly title: string;
  readonly message: string;
};

/** The longest messages that Discord and Telegram take, in characters. */
const [DISCORD_MAX, TELEGRAM_MAX] = [2_000, 4_096];

/**
 * A message as a webhook takes it: chats have formats of their own, in which no text of a visitor rings for everybody.
 *
 * - Source: https://docs.slack.dev/messaging/formatting-message-text (`&`, `<` and `>` are escaped),
 *   https://docs.discord.com/developers/resources/webhook#execute-webhook, https://core.telegram.org/bots/api#sendmessage
 */
export function toWebhookBody(url: URL, told: Told): object {
  const { hostname, searchParams } = url;
  const { title, message } = told;
  if (/^hooks\.slack(-gov)?\.com$/.test(hostname)) {
    return { text: escapeHtml(`*${title}*\n${message}`).replaceAll('&quot;', '"') };
  }
  if (/^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname)) {
    const content = `**${title}**\n${message}`.slice(0, DISCORD_MAX);
    return { content, allowed_mentions: { parse: [] } };
  }
  if (hostname !== TELEGRAM) return told;
  const text = `${title}\n\n${message}`.slice(0, TELEGRAM_MAX);
  return { chat_id: searchParams.get('chat_id'), text };
}

/** Posts JSON to a webhook. Throws if it is not accepted. Only the server's owner may trust a URL. */
export async function postWebhook(text: string, told: Told, isTrusted: boolean): Promise<void> {
  const fault = findWebhookFault(text, isTrusted);
  if (fault !== undefined) throw new Error(`The webhook's URL ${fault}.`);
  const answer = await sendGuarded(new URL(text), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'tributary' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body: JSON.stringify(toWebhookBody(new URL(text), told)),
    isTrusted,
  });
  answer.resume();
  const { statusCode: status = 0 } = answer;
  if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}.`);
}
