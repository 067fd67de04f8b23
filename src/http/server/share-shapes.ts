type Node = Readonly<Record<string, unknown>>;

const ERROR = '{"$ref":"#/components/schemas/Error"}';

/**
 * Moves every schema with a `title`, and the answers to errors, among the components, and refers to them there.
 *
 * - Shape: an equal schema is referred to by the first one's name.
 * - Why: tools that generate clients make one type of each component, and nameless ones of the rest.
 * - Throws if two different schemas have one name. Their descriptions may differ.
 */
export function shareShapes({ components, paths, ...rest }: Node): Node {
  const schemas = new Map<string, Node>();
  const responses = new Map<string, Node>();
  const namesByText = new Map<string, string>();

  function share(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(share);
    const own: Node = Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, share(value)]),
    );
    const { title, description, ...shape } = own;
    if (JSON.stringify(own.content)?.includes(ERROR)) return shareError(String(description), own);
    if (typeof title !== 'string' || !('type' in shape || 'anyOf' in shape)) return own;
    return shareSchema(title, shape, description === undefined ? {} : { description });
  }

  function shareSchema(title: string, shape: Node, more: Node): Node {
    const text = JSON.stringify(shape);
    const name = namesByText.get(text) ?? title;
    if (!namesByText.has(text) && schemas.has(title)) {
      throw new Error(`two schemas of the API are called ${title}`);
    }
    namesByText.set(text, name);
    schemas.getOrInsert(name, { ...shape, ...more });
    return { $ref: `#/components/schemas/${name}`, ...more };
  }

  /** The name is that of the types of error, which the description begins with. */
  function shareError(description: string, answer: Node): Node {
    const types = [...description.matchAll(/`(\w+)`:/g)].map(([, type = '']) => type);
    const name = types.join('_or_');
    responses.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  const others = share(components) as Node; // First: their descriptions are the general ones.
  const shared = share(paths);
  const found = { schemas: Object.fromEntries(schemas), responses: Object.fromEntries(responses) };
  return { ...rest, paths: shared, components: { ...others, ...found } };
}
