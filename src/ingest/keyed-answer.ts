/** The body of an answer, and whether it is the answer to an earlier request with the same key. */
export type KeyedAnswer = { readonly answer: string; readonly replayed: boolean };
