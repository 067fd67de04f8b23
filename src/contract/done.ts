import Type from 'typebox';

/** The response where there is nothing to say. */
export const Done = Type.Object(
  { status: Type.Literal('success') },
  { title: 'Success', description: 'Success.' },
);

/** The answer of such a route. */
export const DONE = { status: 'success' } as const;

/** The response to a removal. */
export const Removed = Type.Object(
  { removed: Type.Literal(true) },
  { title: 'Removed', description: 'Success.' },
);

/** The answer of such a route. */
export const REMOVED = { removed: true } as const;
