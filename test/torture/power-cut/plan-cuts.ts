import type { Chance } from '#cli/demo/chance.ts';
import type { TracedCall } from './read-trace.ts';

/**
 * Plans `cuts` power cuts, as numbers of calls done before: half of them at random instants, half right before or
 * after the fsyncs of one shipment, from the note that it starts to the deletion of its batches.
 *
 * - Shape: with as many cuts as such a shipment has fsyncs, each is met.
 */
export function planCuts(calls: readonly TracedCall[], cuts: number, chance: Chance): number[] {
  const boundaries = findBoundaries(calls, chance);
  const atBoundaries = Math.min(Math.floor(cuts / 2), boundaries.length);
  const first = chance.whole(0, Math.max(0, boundaries.length - 1));
  return Array.from({ length: cuts }, (_, number) => {
    if (number >= atBoundaries) return chance.whole(1, Math.max(1, calls.length));
    const stride = boundaries.length / atBoundaries;
    const index = Math.floor(first + number * stride) % boundaries.length;
    return boundaries[index] ?? calls.length;
  });
}

/** The fsyncs of one shipment, each with a cut before and after. */
function findBoundaries(calls: readonly TracedCall[], chance: Chance): number[] {
  const begins = calls.flatMap((call, index) => (isInsert(call) ? [index] : []));
  const begin = begins[chance.whole(0, Math.max(0, begins.length - 1))];
  if (begin === undefined) return [];
  const next = begins.find((index) => index > begin && isEvents(calls, index, begin));
  const from = Math.max(0, begin - MARGIN_CALLS);
  return calls
    .slice(from, (next ?? calls.length) + MARGIN_CALLS)
    .flatMap(({ kind }, index) =>
      kind === 'sync' || kind === 'datasync' ? [from + index, from + index + 1] : [],
    );
}

/** The commit that notes a shipment precedes its insert; the deletion of its batches follows. */
const MARGIN_CALLS = 20;

function isInsert(call: TracedCall): boolean {
  return call.kind === 'mkdir' && call.path.includes('/tmp_insert_');
}

/** The next insert into the same table starts the next shipment. */
function isEvents(calls: readonly TracedCall[], index: number, begin: number): boolean {
  return tableOf(calls[index]) === tableOf(calls[begin]);
}

function tableOf(call: TracedCall | undefined): string {
  return call?.kind === 'mkdir' ? call.path.slice(0, call.path.indexOf('/tmp_insert_')) : '';
}
