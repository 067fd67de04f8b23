import { useState } from 'react';
import type { MembersAnswer } from '#contract/sites/members.ts';
import { useMe, useSite } from '../../api/account.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { rolesFor } from './roles.ts';
import styles from './settings.module.css';

/** The site's members with their roles, and invitations. */
export function MemberTable({ members, invitations }: MembersAnswer) {
  const { timezone } = useSite();
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.user_id} member={member} />
          ))}
          {invitations.map(({ id, email, role, expires_at: until }) => (
            <tr key={id}>
              <td className={styles.soft}>
                <LongWord text={email} />
              </td>
              <td>{role}</td>
              <td>invited until {formatInstant(until, timezone)}</td>
              <td>
                <RemoveButton name={email} path={`/invitations/${id}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type MemberProps = { readonly member: MembersAnswer['members'][number] };

function MemberRow({ member }: MemberProps) {
  const { role: own } = useSite();
  const { user_id: id, name, email, role, is_owner: isOwner, two_factor: hasTwoSteps } = member;
  const isMe = useMe().data?.user.id === id;
  // Nobody changes their own role or one above their own.
  const mayChange = !isOwner && !isMe && rolesFor(own).some((each) => each.role === role);
  return (
    <tr>
      <td>
        {name}
        <br />
        <span className={styles.soft}>
          <LongWord text={email} />
        </span>
      </td>
      <td>
        {mayChange ? <RoleChoice member={member} /> : isOwner ? 'owner of this server' : role}
      </td>
      <td>{hasTwoSteps ? 'two-factor' : ''}</td>
      <td>{mayChange && <RemoveButton name={name} path={`/members/${id}`} />}</td>
    </tr>
  );
}

function RoleChoice({ member: { user_id: id, name, role } }: MemberProps) {
  const { role: own } = useSite();
  const { mutate, error, isPending } = useChangeOfSite();
  return (
    <>
      <select
        aria-label={`Role of ${name}`}
        className={styles.choice}
        value={role}
        disabled={isPending}
        onChange={({ target }) =>
          mutate({ method: 'PATCH', path: `/members/${id}`, body: { role: target.value } })
        }
      >
        {rolesFor(own).map(({ role: each, label }) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
      {error && <p role="alert">{error.message}</p>}
    </>
  );
}

function RemoveButton({ name, path }: { readonly name: string; readonly path: string }) {
  const removed = useChangeOfSite();
  const [isAsked, setAsked] = useState(false);
  if (removed.error) return <p role="alert">{removed.error.message}</p>;
  if (!isAsked) {
    return (
      <Button
        size="small"
        look="danger"
        aria-label={`Remove ${name}`}
        onClick={() => setAsked(true)}
      >
        Remove
      </Button>
    );
  }
  return (
    <Button size="small" look="danger" onClick={() => removed.mutate({ method: 'DELETE', path })}>
      Really remove {name}
    </Button>
  );
}
