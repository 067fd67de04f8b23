import type { FastifyReply } from 'fastify';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Stops } from '#report/ports.ts';
import { dropWhenLeft } from '../server/broken-requests.ts';

/**
 * What `answer` answers, which is aborted when the caller disconnects before. Nothing is sent then, nor counted or
 * logged as an answer.
 *
 * - Why the answer's `close`: a request closes as soon as its body is read, and on a socket many requests may wait at
 *   once, each of which would listen to it.
 */
export async function whileThere<Answer>(
  reply: FastifyReply,
  answer: (stops: Stops) => Promise<Answer>,
): Promise<Answer | FastifyReply> {
  const { raw } = reply;
  dropWhenLeft(raw);
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
