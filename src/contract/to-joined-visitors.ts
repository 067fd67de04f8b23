import type { Join } from '#domain/identity/person.ts';
import type { JoinedVisitor } from './visitor.ts';

/** The fields of an identify or payment, by kind of key. */
export const KEY_FIELDS = { user: 'user_id', customer: 'customer_id', email: 'email' } as const;

/** The visitors of a person, with the reasons why they belong to it. */
export function toJoinedVisitors(
  visitorIds: readonly string[],
  joins: readonly Join[],
): JoinedVisitor[] {
  return visitorIds.map((id) => ({
    service_visitor_id: id,
    joined_by: joins
      .filter(({ visitorId }) => visitorId === id)
      .map(({ kind, key, source }) => ({ field: KEY_FIELDS[kind], value: key, source })),
  }));
}
