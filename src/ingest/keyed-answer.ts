import { ok, type Result, refuse } from '#domain/result.ts';
import type { EventsOutcome } from './ports.ts';

/** The body of an answer, and whether it is the answer to an earlier request with the same key. */
export type KeyedAnswer = { readonly answer: string; readonly replayed: boolean };

/** A request whose key came before with another body. */
export type ReusedKey = { readonly type: 'idempotency_conflict' };

/** The answer to a request: its own, else that to an earlier one with the same key. */
export function toKeyedAnswer(
  outcome: EventsOutcome,
  answer: string,
): Result<KeyedAnswer, ReusedKey> {
  if (outcome.kind === 'idempotency_conflict') return refuse({ type: 'idempotency_conflict' });
  if (outcome.kind === 'replayed') return ok({ answer: outcome.answer, replayed: true });
  return ok({ answer, replayed: false });
}
