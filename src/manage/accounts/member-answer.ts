import type { MembersAnswer } from '#contract/sites/members.ts';
import type { Member } from '#domain/account/member.ts';

/** A member, as the API and the commands show them. */
export function toMemberAnswer(member: Member): MembersAnswer['members'][number] {
  const { userId, name, email, role, isOwner, twoFactor } = member;
  return { user_id: userId, name, email, role, is_owner: isOwner, two_factor: twoFactor };
}
