import type { BackfillRequest } from './provider.ts';

/** A request that posts the fields of a form. */
export function postForm(
  path: string,
  headers: Readonly<Record<string, string>>,
  fields: readonly (readonly string[])[],
): BackfillRequest {
  return {
    ...{ method: 'POST', path, body: `${new URLSearchParams(fields.map((each) => [...each]))}` },
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  };
}
