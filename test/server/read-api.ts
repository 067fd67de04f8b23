/** A schema of the API's description, whose references are replaced by what they refer to. */
export type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: object;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
};

/** A body of the API's description. */
export type Media = { readonly schema: Schema; readonly example?: object };

/** An operation of the API's description. */
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, Media>> }
    >
  >;
};

/** The API's description. */
export type Api = {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** Reads the description of a server's API, with everything in its place. */
export async function readApi(url: string): Promise<Api> {
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
  return resolve(document, document) as Api;
}

/** All operations, with their places. */
export function operationsOf({ paths }: Api) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function resolve(node: unknown, document: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => resolve(each, document));
  const { $ref, ...own } = node as { readonly $ref?: string };
  const inside = Object.entries(own).map(([name, value]) => [name, resolve(value, document)]);
  if ($ref === undefined) return Object.fromEntries(inside);
  const steps = $ref.slice(2).split('/');
  const found = steps.reduce((at, step) => (at as Record<string, unknown>)[step], document);
  return { ...(resolve(found, document) as object), ...Object.fromEntries(inside) };
}
