/** One fault of a request. `path` is a JSON pointer, empty for the whole body. */
export type Fault = { readonly path: string; readonly message: string };
