import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that accepts and keeps mails. */
export interface MailServer {
  readonly url: string;
  /** Each with its headers, as sent; without soft line breaks. */
  readonly mails: readonly string[];
  close(): void;
}

/** Listens on a free loopback port, and speaks just enough SMTP for mails. */
export async function openMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = createServer((socket) => converse(socket, mails));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}

function converse(socket: Socket, mails: string[]): void {
  let isMail = false;
  let text = '';
  const write = (line: string) => socket.write(`${line}\r\n`);
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  write('220 ready');
  socket.on('data', (chunk) => {
    text += chunk;
    for (let said = takePart(); said !== undefined; said = takePart()) {
      if (isMail) keepMail(said);
      else if (/^QUIT/i.test(said)) write('221 bye');
      else if (/^DATA/i.test(said)) beginMail();
      if (!isMail && !/^QUIT/i.test(said)) write('250 ok');
    }
  });

  /** A line, or a whole mail. */
  function takePart(): string | undefined {
    const mark = isMail ? '\r\n.\r\n' : '\r\n';
    const end = text.indexOf(mark);
    if (end < 0) return undefined;
    const part = text.slice(0, end);
    text = text.slice(end + mark.length);
    return part;
  }

  function beginMail(): void {
    isMail = true;
    write('354 go on');
  }

  function keepMail(said: string): void {
    mails.push(said.replaceAll('=\r\n', '').replaceAll('=3D', '='));
    isMail = false;
  }
}
