import { useState } from 'react';
import { type Site, useMe, useSite } from '../../account.ts';
import { formatInstant } from '../../format/dates.ts';
import { type SiteMembers, useChangeOfSite, useOfSite } from '../../site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import { AuditList } from './audit-list.tsx';
import styles from './settings.module.css';

const ROLES = [
  { role: 'viewer', label: 'Viewer: sees everything' },
  { role: 'admin', label: 'Admin: also changes settings, keys and payments' },
  { role: 'owner', label: 'Owner: can also remove the site' },
] as const;

/** Who may see or change the site, and invitations to it. */
export function People() {
  const { data, error, refetch } = useOfSite<SiteMembers>('/members');
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Bones height={240} />;
  return (
    <>
      <Card isPadded className={styles.card}>
        <h2>People</h2>
        <MemberTable {...data} />
      </Card>
      <Invite />
      <AuditList />
    </>
  );
}

function MemberTable({ members, invitations }: SiteMembers) {
  const { timezone } = useSite();
  const me = useMe();
  const changed = useChangeOfSite();
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <tbody>
          {members.map((member) => (
            <tr key={member.user_id}>
              <td>
                {member.name}
                <br />
                <span className={styles.soft}>{member.email}</span>
              </td>
              <td>{member.is_owner ? 'owner of this server' : member.role}</td>
              <td>{member.two_factor ? 'two-factor' : ''}</td>
              <td>
                {!member.is_owner && member.user_id !== me.data?.user.id && (
                  <RemoveButton name={member.name} path={`/members/${member.user_id}`} />
                )}
              </td>
            </tr>
          ))}
          {invitations.map(({ id, email, role, expires_at: until }) => (
            <tr key={id}>
              <td className={styles.soft}>{email}</td>
              <td>{role}</td>
              <td>invited until {formatInstant(until, timezone)}</td>
              <td>
                <RemoveButton name={email} path={`/invitations/${id}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed.error && <p role="alert">{changed.error.message}</p>}
    </div>
  );
}

function RemoveButton({ name, path }: { readonly name: string; readonly path: string }) {
  const removed = useChangeOfSite();
  const [isAsked, setAsked] = useState(false);
  if (removed.error) return <p role="alert">{removed.error.message}</p>;
  if (!isAsked) {
    return (
      <Button size="small" look="danger" onClick={() => setAsked(true)}>
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

function Invite() {
  const { role: ownRole } = useSite();
  const { mutateAsync } = useChangeOfSite<{ readonly email: string; readonly url: string }>();
  const [made, setMade] = useState<{ readonly email: string; readonly url: string }>();
  const roles = ROLES.filter(({ role }) => role !== 'owner' || ownRole === 'owner');
  const invite = async (values: Readonly<Record<string, string>>) => {
    setMade(await mutateAsync({ method: 'POST', path: '/members', body: values }));
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Invite somebody</h2>
      <Form action="Invite" onSubmit={invite}>
        {(faultOf) => (
          <>
            <Field
              {...{ label: 'E-mail', name: 'email', type: 'email', required: true }}
              fault={faultOf('email')}
            />
            <ChoiceField label="Role" name="role" fault={faultOf('role')}>
              {roles.map(({ role, label }) => (
                <option key={role} value={role satisfies Site['role']}>
                  {label}
                </option>
              ))}
            </ChoiceField>
          </>
        )}
      </Form>
      {made && (
        <div className={styles.made} role="status">
          <p>
            Send this link to {made.email}. It works once, for seven days, and is not shown again.
          </p>
          <CopiedText text={made.url} name="The invitation" />
        </div>
      )}
    </Card>
  );
}
