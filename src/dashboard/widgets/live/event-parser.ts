/** A server-sent event. */
export type Message = {
  readonly id: string;
  readonly name: string;
  readonly data: string;
};

/**
 * Parses server-sent events from chunks, wherever those are cut: each call returns the messages that
 * it completes.
 *
 * - Why not EventSource: it cannot send headers, and the API takes the site from one.
 * - Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function openEventParser(): (piece: string) => Message[] {
  let rest = '';
  let id = '';
  return (piece) => {
    const blocks = (rest + piece).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const message = parseBlock(block, id);
      id = message.id;
      return message.data === '' ? [] : [message];
    });
  };
}

function parseBlock(block: string, idBefore: string): Message {
  const fields = { id: idBefore, event: 'message', data: [] as string[] };
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === 'data') fields.data.push(value);
    else if (name === 'id') fields.id = value;
    else if (name === 'event') fields.event = value;
  }
  return { id: fields.id, name: fields.event, data: fields.data.join('\n') };
}
