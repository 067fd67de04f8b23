type Node = Readonly<Record<string, unknown>>;

const ERROR = '"#/components/schemas/Error"';
/** What follows the name of an operation in that of its body, and of its answers. */
const KINDS: Readonly<Record<string, string>> = { requestBody: 'Request', responses: 'Answer' };

/**
 * Moves schemas with a name, and the answers to errors, among the components, and refers to them there.
 *
 * - Shape: the name is the schema's `title` or, of a body or an answer, that of the operation. An equal schema is
 *   referred to by the first one's name.
 * - Why: tools that generate clients make one type of each component, and nameless ones of the rest.
 * - Throws if two different schemas have one name. Their descriptions may differ.
 */
export function shareShapes({ components, paths, ...rest }: Node): Node {
  const schemas = new Map<string, Node>();
  const responses = new Map<string, Node>();
  const namesByText = new Map<string, string>();

  function share(node: unknown, name?: string): unknown {
    if (Array.isArray(node)) return node.map((each) => share(each));
    if (typeof node !== 'object' || node === null) return node;
    const { operationId: id, type, anyOf } = node as Node;
    const isSchema = typeof type === 'string' || Array.isArray(anyOf);
    const inside = Object.entries(node).map(([key, value]) => {
      if (key.startsWith('example')) return [key, value];
      const own = typeof id === 'string' && KINDS[key] && toCapital(id) + KINDS[key];
      return [key, share(value, own || (isSchema ? undefined : name))];
    });
    const shared: Node = Object.fromEntries(inside);
    if (isSchema) return shareSchema(shared, name);
    return JSON.stringify(shared.content)?.includes(ERROR) ? shareError(shared) : shared;
  }

  function shareSchema({ description, ...named }: Node, byDefault?: string): Node {
    const { title = byDefault, ...shape } = named;
    const more = description === undefined ? {} : { description };
    if (typeof title !== 'string') return { ...shape, ...more };
    const text = JSON.stringify(shape);
    if (!namesByText.has(text) && schemas.has(title)) {
      throw new Error(`two schemas of the API are called ${title}`);
    }
    const name = namesByText.getOrInsert(text, title);
    schemas.getOrInsert(name, { ...shape, ...more });
    return { $ref: `#/components/schemas/${name}`, ...more };
  }

  /** The name is that of the types of error, which the description begins with. */
  function shareError(answer: Node): Node {
    const types = String(answer.description).matchAll(/`(\w+)`:/g);
    const name = [...types].map(([, type]) => type).join('_or_');
    responses.set(name, answer);
    return { $ref: `#/components/responses/${name}` };
  }

  const others = share(components) as Node; // First: their descriptions are the general ones.
  const shared = share(paths);
  const found = { schemas: Object.fromEntries(schemas), responses: Object.fromEntries(responses) };
  return { ...rest, paths: shared, components: { ...others, ...found } };
}

function toCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
