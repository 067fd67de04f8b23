import type { Credential } from '#server/requests/authenticate.ts';
import type { Tool } from './tools/tool.ts';
import { TOOLS } from './tools.ts';

/** A tool as the protocol lists it. */
export type ListedTool = {
  readonly name: string;
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
};

/** The tools that a key may call. */
export function listTools({ scopes }: Pick<Credential, 'scopes'>): ListedTool[] {
  return TOOLS.filter(({ scope }) => scopes.includes(scope)).map(toListed);
}

function toListed({ name, title, description, scope, schema }: Tool): ListedTool {
  const isReadOnly = scope.endsWith(':read');
  return {
    ...{ name, title, description },
    inputSchema: JSON.parse(JSON.stringify(schema, (key, value) => hide(key, value))),
    annotations: {
      ...{ readOnlyHint: isReadOnly, destructiveHint: false },
      ...{ idempotentHint: isReadOnly, openWorldHint: false },
    },
  } as ListedTool;
}

/** Markers of the API description, which model providers refuse. */
function hide(key: string, value: unknown): unknown {
  return key === 'x-names' || key === 'examples' ? undefined : value;
}
