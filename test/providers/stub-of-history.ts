import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Page = { readonly path: string; readonly answer: unknown };
type Samples = {
  readonly pages: Readonly<Record<string, readonly Page[]>>;
  readonly adds: readonly string[];
};

/** Answers instead of a page: a number is a status. */
export type Fault = number | 'nonsense' | 'nothing' | 'empty';

/** A provider's list API that serves its sample pages. */
export type HistoryStub = {
  readonly url: string;
  /** What all pages come to. */
  readonly adds: readonly string[];
  readonly requests: string[];
  /** Called before each answer, with the number of the request; returns a fault, if it answers with one. */
  judge: (path: string, count: number) => Fault | undefined;
  /** Whether it serves the same pages for any time. */
  isAnyTime: boolean;
  /** What `GET` of a path answers, besides pages. */
  readonly objects: Map<string, unknown>;
  stop(): Promise<void>;
};

/** Starts the list API of a provider. */
export async function startHistoryStub(provider: string): Promise<HistoryStub> {
  const { pages, adds } = readPages(provider);
  const all = Object.values(pages).flat();
  const stub = {
    ...{ adds, requests: [] as string[], objects: new Map<string, unknown>() },
    ...{ judge: (() => undefined) as HistoryStub['judge'], isAnyTime: false },
  };
  const findPage = (path: string, body: string) => {
    const isIt = (page: Page) => page.path === path;
    const isLike = (page: Page) => withoutTime(page.path) === withoutTime(path);
    const found = all.filter(stub.isAnyTime ? isLike : isIt);
    // Pages that are asked for in the body are told apart by their cursor.
    return found.length > 1 && !body.includes('"after":null') ? found[1] : found[0];
  };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const path = decodeURIComponent(request.url ?? '');
    stub.requests.push(path);
    const fault = stub.judge(path, stub.requests.length);
    if (fault !== undefined) return answerFault(request, response, fault);
    const answer = stub.objects.get(path) ?? findPage(path, body)?.answer;
    if (answer === undefined) response.statusCode = 404;
    response.end(JSON.stringify(answer ?? { error: { message: `No ${path}` } }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return Object.assign(stub, { url: `http://127.0.0.1:${port}`, stop });
}

function answerFault(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  if (fault === 'nothing') return void request.socket.destroy();
  if (fault === 'nonsense') return void response.end('<html>Sorry</html>');
  if (fault === 'empty') return void response.end('{}');
  response.writeHead(fault, fault === 429 ? { 'retry-after': '7' } : {});
  response.end('{"error":{"message":"Not now"}}');
}

/** A path without the times in it. */
function withoutTime(path: string): string {
  return path.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z|\b1\d{9}\b/g, '…');
}

function readPages(provider: string): Samples {
  const path = `../../src/providers/${provider}/pages.json`;
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
