/** One thing wrong with a request: where (a JSON pointer, empty for the whole body), and what. */
export type Fault = { readonly path: string; readonly message: string };
