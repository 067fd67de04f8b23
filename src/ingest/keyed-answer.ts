import type { EventsOutcome } from '#domain/outcome.ts';
import { ok, type Result, refuse } from '#domain/result.ts';

/** The body of an answer, and whether it was replayed for the same idempotency key. */
export type KeyedAnswer = { readonly answer: string; readonly replayed: boolean };

/** A request whose idempotency key was used before with another body. */
export type ReusedKey = { readonly type: 'idempotency_conflict' };

/** The answer to a request: its own, or the earlier answer for the same idempotency key. */
export function toKeyedAnswer(
  outcome: EventsOutcome,
  answer: string,
): Result<KeyedAnswer, ReusedKey> {
  if (outcome.kind === 'idempotency_conflict') return refuse({ type: 'idempotency_conflict' });
  if (outcome.kind === 'replayed') return ok({ answer: outcome.answer, replayed: true });
  return ok({ answer, replayed: false });
}
