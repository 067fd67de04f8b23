import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { createChecker } from '#contract/checker.ts';
import { refuseFaults } from '../answers/errors.ts';

/**
 * Checks bodies against their route's schema, and refuses with every fault at once.
 *
 * - Why not headers too: their schemas are for OpenAPI; the reader of a header checks it.
 */
export const checkSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') return () => true;
  const checker = createChecker(schema);
  return (value: unknown) =>
    checker.isValid(value) ? true : { error: refuseFaults(checker.findFaults(value)) };
};
