import type { ToolResult } from './call-tool.ts';
import type { ListedTool } from './list-tools.ts';

/** The server to ask, and the key to ask with. */
export type AskedServer = { readonly url: string; readonly key: string };

/** Queries may wait for others; the server itself ends them before. */
const ANSWER_MAX_MS = 120_000;

type Reply = { readonly result?: unknown; readonly error?: { readonly message?: string } };

/** The tools of a running server, over HTTP, and what waits for it. What goes wrong is said in one line. */
export function toolsOfServer(server: AskedServer) {
  const asked = new Set<Promise<unknown>>();
  function track(method: string, params: object): Promise<unknown> {
    const answer = ask(server, method, params).finally(() => asked.delete(answer));
    asked.add(answer);
    return answer;
  }
  return {
    asked,
    async list() {
      const { tools } = (await track('tools/list', {})) as { readonly tools: ListedTool[] };
      return tools;
    },
    async call(name: string, sent: unknown): Promise<ToolResult> {
      try {
        const result = await track('tools/call', { name, arguments: sent ?? {} });
        const { content, isError = false } = result as {
          readonly content: readonly { readonly text: string }[];
          readonly isError?: boolean;
        };
        return { text: content[0]?.text ?? '', isError };
      } catch (error) {
        return { text: (error as Error).message, isError: true };
      }
    },
  };
}

/** Sends one message. Throws what the server, or the network, has to say against it. */
async function ask({ url, key }: AskedServer, method: string, params: object): Promise<unknown> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
  }).catch((error: Error) => {
    const { message } = (error.cause as Error | undefined) ?? error;
    throw new Error(`The server at ${url} does not answer: ${message}.`);
  });
  const reply = (await answer.json().catch(() => ({}))) as Reply;
  if (reply.result !== undefined) return reply.result;
  const reason = reply.error?.message ?? `HTTP ${answer.status} instead of an answer`;
  throw new Error(`The server at ${url} refused: ${reason}`);
}
