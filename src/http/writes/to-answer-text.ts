import { type Server, STATUS_CODES } from 'node:http';
import type { PlainAnswer } from './answer-plain-requests.ts';

/** What a write is answered. */
export type Answer = {
  readonly code: number;
  /** Names and values of headers, by turns: written as it is, where an object's would be looked up. */
  readonly head: string[];
  readonly text: string;
  /** No other request is taken on this connection. */
  readonly isLast: boolean;
};

/** Writes answers as Node's HTTP writes those of the server, to the byte. */
export function createAnswerText(server: Server): (answer: Answer) => PlainAnswer {
  const keptAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1_000)}\r\n`;
  let second = 0;
  let date = '';

  function tellDate(): string {
    const now = Date.now();
    if (Math.floor(now / 1_000) !== second) {
      second = Math.floor(now / 1_000);
      date = new Date(now).toUTCString();
    }
    return date;
  }

  return ({ code, head, text, isLast }) => {
    let lines = `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n`;
    for (let at = 0; at < head.length; at += 2) {
      lines += `${head[at]}: ${head[at + 1]}\r\n`;
    }
    if (isLast) lines += `connection: close\r\nDate: ${tellDate()}\r\n`;
    else lines += `Date: ${tellDate()}\r\n${keptAlive}`;
    return { text: `${lines}\r\n${text}`, isLast };
  };
}
