import type { FastifyReply } from 'fastify';
import { UnavailableError } from '#domain/unavailable.ts';
import { dropOnHalfClose } from './broken-requests.ts';

/**
 * Runs `answer`, and aborts it if the caller disconnects first. In that case nothing is sent, counted
 * or logged as a response.
 *
 * - Why the response's `close` event: a request closes as soon as its body is read, and a socket may
 *   carry many waiting requests, each of which would add a listener.
 */
export async function abortOnDisconnect<Answer>(
  reply: FastifyReply,
  answer: (stops: { readonly signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer | FastifyReply> {
  const { raw } = reply;
  dropOnHalfClose(raw);
  const hangUp = new AbortController();
  const stop = () => hangUp.abort(new UnavailableError('The client has disconnected.'));
  if (raw.destroyed) stop();
  raw.once('close', () => raw.writableEnded || stop());
  try {
    return await answer({ signal: hangUp.signal });
  } catch (error) {
    if (!hangUp.signal.aborted || !(error instanceof UnavailableError)) throw error;
    return reply.hijack();
  }
}
