/** From one instant up to another, exclusive, in milliseconds. */
export type Span = { readonly startsAt: number; readonly endsAt: number };

/** How many rows a span has in each of its places, which are so many milliseconds wide. Empty ones are left out. */
export type CountRows = (
  span: Span,
  widthMs: number,
) => Promise<readonly { readonly place: number; readonly rows: number }[]>;

/** Into how many places a span is divided to count its rows. */
const PLACES = 1_000;

/**
 * Divides a span into slices in order of time, each with at most so many rows, or a millisecond long.
 *
 * Why not pages after a cursor: each would sort all that is left.
 */
export async function* sliceSpan(
  span: Span,
  rowsMax: number,
  count: CountRows,
): AsyncGenerator<Span> {
  const widthMs = Math.max(1, Math.ceil((span.endsAt - span.startsAt) / PLACES));
  let open: (Span & { readonly rows: number }) | undefined;
  for (const { place, rows } of await count(span, widthMs)) {
    const startsAt = span.startsAt + place * widthMs;
    const endsAt = Math.min(startsAt + widthMs, span.endsAt);
    if (open !== undefined && open.rows + rows <= rowsMax) {
      open = { startsAt: open.startsAt, endsAt, rows: open.rows + rows };
      continue;
    }
    if (open !== undefined) yield open;
    open = undefined;
    if (rows > rowsMax && widthMs > 1) yield* sliceSpan({ startsAt, endsAt }, rowsMax, count);
    else open = { startsAt, endsAt, rows };
  }
  if (open !== undefined) yield open;
}
