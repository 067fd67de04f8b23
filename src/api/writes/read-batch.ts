import { EVENTS_MAX } from '#contract/event.ts';
import { takeTurns } from '#ingest/take-turns.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { BODY_MAX_BYTES } from '#server/requests/body.ts';
import {
  DEPTH_MAX,
  decodeUtf8,
  type JsonBody,
  parse,
  readJson,
  tokensOf,
} from '#server/requests/read-json.ts';

/** Parses a body as JSON; one that is larger than others may be, as a batch. */
export function readBody(bytes: Buffer): JsonBody | Promise<JsonBody> {
  return bytes.length > BODY_MAX_BYTES ? readBatch(bytes, BODY_MAX_BYTES) : readJson(bytes);
}

/**
 * Parses a body of more than `maxLength` characters, which only a batch of events may have: event by event, with turns
 * for other requests.
 *
 * - Refuses what `readJson` refuses, too many events, and what is too large by itself.
 * - Why: `JSON.parse` takes a tenth of a second for a megabyte of names.
 */
export async function readBatch(bytes: Buffer, maxLength: number): Promise<JsonBody> {
  const text = decodeUtf8(bytes);
  const turns = takeTurns();
  const events: unknown[] = [];
  let frame = ''; // The body, with the index of each event in its place.
  let readTo = 0;
  for (const { from, to } of findEvents(text, maxLength)) {
    const piece = text.slice(from, to);
    if (piece.trim() === '') continue; // An empty list, or a mistake that stays in the frame.
    frame += `${text.slice(readTo, from)}${events.length}`;
    readTo = to;
    events.push(parse(piece, `Event ${events.length} of the batch`));
    if (events.length > EVENTS_MAX) throw refuseFaults([TOO_MANY]);
    if (turns.isOver()) await turns.others();
  }
  const value = parse(frame + text.slice(readTo)) as { events?: unknown } | null;
  if (!Array.isArray(value?.events) || events.length === 0) throw tooLarge(maxLength);
  return { text, value: { ...value, events: value.events.map((index) => events[index]) } };
}

function tooLarge(maxLength: number): RefusedRequest {
  const message = `A body larger than ${maxLength} bytes is a batch of events, each of them smaller.`;
  return new RefusedRequest('request_too_large', message);
}

const TOO_MANY = { path: '/events', message: `must have at most ${EVENTS_MAX} elements` };
const NAME = '"events"';

/** The elements of the list `events`. */
function* findEvents(text: string, maxLength: number) {
  let [from, isNamed, isInList] = [0, false, false];
  for (const { at, last, level } of tokensOf(text, DEPTH_MAX)) {
    if (at - from > maxLength) throw tooLarge(maxLength);
    if (level === 1) isNamed = text.endsWith(NAME, at + 1);
    if (level === 2 && isInList && ',]'.includes(last)) {
      yield { from, to: at };
      from = at + 1;
      isInList = last === ',';
    } else if (level === 2 && isNamed && last === '[') {
      from = at + 1;
      isInList = true;
    }
  }
  if (text.length - from > maxLength) throw tooLarge(maxLength);
}
