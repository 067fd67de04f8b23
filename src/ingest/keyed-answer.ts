import { ok, type Result, refuse } from '#domain/result.ts';
import type { EarlierAnswer } from './ports.ts';

/** The body of an answer, and whether it is the answer to an earlier request with the same key. */
export type KeyedAnswer = { readonly answer: string; readonly replayed: boolean };

/** A request whose key came before with another body. */
export type ReusedKey = { readonly type: 'idempotency_conflict' };

/** The answer to a request with the key of an earlier one. */
export function toReplay(earlier: EarlierAnswer): Result<KeyedAnswer, ReusedKey> {
  if (earlier.kind === 'idempotency_conflict') return refuse({ type: 'idempotency_conflict' });
  return ok({ answer: earlier.answer, replayed: true });
}
