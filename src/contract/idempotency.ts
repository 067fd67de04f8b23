import Type from 'typebox';
import { OptionalText } from './text.ts';

/** The headers of an idempotent endpoint. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': OptionalText(
    'For at least 24 hours, a retry with the same key and body records nothing new and replays the first response, with `Idempotent-Replayed: true`.',
  ),
});
