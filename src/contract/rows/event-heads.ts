import { readEventLine } from './event-lines.ts';

/** The first columns of an event line: batch, site, instants, id and type. */
type EventHead = {
  readonly batchId: string;
  readonly siteId: string;
  readonly occurredAt: number;
  readonly acceptedAt: number;
  readonly eventId: string;
  readonly type: string;
};

/** Maximum size of a head in a line from the write path. */
const HEAD_BYTES = 256;
const NEWLINE = 0x0a;

/** The first columns of event-lines.ts. None needs JSON escapes. */
const HEAD = /^\["(\d+)","([^"\\\x80-\xff]*)",(\d+),(\d+),"([\da-fA-F-]{36})","([a-z_]+)"/;

/**
 * Reads the head of each line.
 *
 * - Throws SyntaxError if a line is not an event line.
 * - Why no JSON parser: the head is a sixth of the line, and an archive has many millions of lines.
 */
export function* readEventHeads(lines: Buffer): Generator<EventHead> {
  for (let from = 0; from < lines.length; ) {
    const found = lines.indexOf(NEWLINE, from);
    const to = found < 0 ? lines.length : found;
    if (to > from) yield readHead(lines, from, to);
    from = to + 1;
  }
}

function readHead(lines: Buffer, from: number, to: number): EventHead {
  const found = HEAD.exec(lines.toString('latin1', from, Math.min(to, from + HEAD_BYTES)));
  if (found === null) return readWhole(lines.toString('utf8', from, to));
  const [, batchId = '', siteId = '', occurredAt, acceptedAt, eventId = '', type = ''] = found;
  const instants = { occurredAt: Number(occurredAt), acceptedAt: Number(acceptedAt) };
  return { batchId, siteId, ...instants, eventId, type };
}

function readWhole(line: string): EventHead {
  const { batch_id, site_id, occurred_at, accepted_at, event_id, type } = readEventLine(line);
  return {
    batchId: batch_id,
    siteId: String(site_id),
    occurredAt: Number(occurred_at),
    acceptedAt: Number(accepted_at),
    eventId: String(event_id),
    type: String(type),
  };
}
