import Type, { type Static } from 'typebox';

/** One fault of a request. `path` is a JSON pointer, empty for the whole body. */
export const Fault = Type.Object(
  { path: Type.String({ description: 'JSON pointer to the fault.' }), message: Type.String() },
  { title: 'Fault' },
);
/** A fault, as it is found and sent. */
export type Fault = Readonly<Static<typeof Fault>>;
