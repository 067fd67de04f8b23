import type { Member } from '#accounts/members.ts';
import type { MembersAnswer } from '#contract/sites/members.ts';

/** A member, as the API and the commands show them. */
export function toMemberAnswer(member: Member): MembersAnswer['members'][number] {
  const { userId, name, email, role, isOwner, twoFactor } = member;
  return { user_id: userId, name, email, role, is_owner: isOwner, two_factor: twoFactor };
}
