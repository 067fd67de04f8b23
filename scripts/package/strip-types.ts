import { stripTypeScriptTypes } from 'node:module';

/** Names of modules in quotes: relative ones, and those across rooms. */
const MODULE_NAME = /(['"])((?:\.\.?\/|#)[\w./-]+)\.ts\1/g;

/**
 * A module of TypeScript as JavaScript, with the same lines and columns.
 *
 * Why: Node reads TypeScript from a checkout, but not from `node_modules`.
 */
export function stripTypes(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(MODULE_NAME, '$1$2.js$1');
}
