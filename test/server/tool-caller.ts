import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN } from './program.ts';

/** An assistant's connection to the tools, by the protocol's own client. */
export interface ToolCaller {
  readonly client: Client;
  /** The JSON of a tool's answer. Throws its line if it refuses. */
  call<Answer>(name: string, sent?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** The line of a tool that refuses. Throws if it does not. */
  refusal(name: string, sent?: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

type Mode = 'legacy' | 'auto';

/** Connects to a server's `/mcp`; `auto` speaks the newest protocol, `legacy` the one of 2025. */
export function connectOverHttp(url: string, key: string, mode: Mode = 'auto') {
  const headers = { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
  });
  return connect(transport, mode);
}

/** Connects to `tributary mcp`, which asks the server. */
export function connectOverStdio(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  mode: Mode = 'auto',
) {
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [MAIN, 'mcp', ...args], stderr: 'pipe' as const },
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return connect(transport, mode);
}

async function connect(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: Mode,
): Promise<ToolCaller> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);

  async function ask(name: string, sent: Readonly<Record<string, unknown>> = {}) {
    const { content, isError } = await client.callTool({ name, arguments: { ...sent } });
    const [first] = content as readonly { readonly text: string }[];
    return { text: first?.text ?? '', isError: isError === true };
  }
  return {
    client,
    async call(name, sent) {
      const { text, isError } = await ask(name, sent);
      if (isError) throw new Error(text);
      return JSON.parse(text);
    },
    async refusal(name, sent) {
      const { text, isError } = await ask(name, sent);
      if (!isError) throw new Error(`not refused: ${text}`);
      return text;
    },
    close: () => client.close(),
  };
}
