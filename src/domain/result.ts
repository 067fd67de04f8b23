/** A value, or the reason for refusing the input. Refusals are returned, never thrown. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** A successful result. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A refusal, with its reason. */
export function refuse<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
