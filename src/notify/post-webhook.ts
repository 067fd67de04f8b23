import { findUrlFault, sendGuarded } from '#enrich/guarded-request.ts';

const TIMEOUT_MS = 10_000;

/** Describes what is wrong with a webhook's URL; `undefined` if it is acceptable. */
export function findWebhookFault(text: string, isTrusted: boolean): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    return 'must be an https URL, such as https://hooks.example.com/tributary';
  }
  return isTrusted ? undefined : findUrlFault(url);
}

/** Posts JSON to a webhook. Throws if it is not accepted. Only the server's owner may trust a URL. */
export async function postWebhook(text: string, body: object, isTrusted: boolean): Promise<void> {
  const fault = findWebhookFault(text, isTrusted);
  if (fault !== undefined) throw new Error(`The webhook's URL ${fault}.`);
  const answer = await sendGuarded(new URL(text), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'tributary' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body: JSON.stringify(body),
    isTrusted,
  });
  answer.resume();
  const { statusCode: status = 0 } = answer;
  if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}.`);
}
