import { ts } from '@ts-morph/common';

/** The compiler's own interface, which our version of TypeScript no longer has, for the generator of types. */
// biome-ignore lint/style/noDefaultExport: the generator imports it so.
export default ts;
