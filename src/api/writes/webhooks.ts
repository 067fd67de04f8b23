import type { ReceiveEvent } from '#providers/connections/receive-event.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import { BATCH_MAX_BYTES } from '#server/requests/body.ts';
import type { Server } from '#server/server-type.ts';

/**
 * `POST /webhooks/{connection}`: the events of a connected payment provider. Answered when the event is on disk; it is
 * read afterwards.
 *
 * - Why not in `/openapi.json`: only providers call it, in the forms that are theirs.
 */
export function addWebhookRoute(server: Server, receiveEvent: ReceiveEvent): void {
  server.post(
    '/webhooks/:connection',
    { bodyLimit: BATCH_MAX_BYTES, schema: { hide: true }, config: { isForAnyOrigin: true } },
    async (request, reply) => {
      const { connection } = request.params as { connection: string };
      const { token } = request.query as { token?: unknown };
      const { body, headers } = request;
      const received = await receiveEvent(connection, {
        headers: headers as Readonly<Record<string, string>>,
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        receivedAt: Date.now(),
        addressToken: typeof token === 'string' ? token : undefined,
      });
      if (!received.ok) throw new RefusedRequest(received.error.type, received.error.message);
      return reply.send({ status: 'success' });
    },
  );
}
