import { useState } from 'react';
import type { AuditAnswer } from '#contract/sites/audit.ts';
import type { InvitedAnswer, MembersAnswer } from '#contract/sites/members.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { Card } from '../../ui/card.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { MemberTable } from './member-table.tsx';
import { rolesFor } from './roles.ts';
import styles from './settings.module.css';

/** Who has access to the site, and invitations. */
export function People() {
  const { data, error, refetch } = useOfSite<MembersAnswer>('/members');
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

function Invite() {
  const { role: ownRole } = useSite();
  const { mutateAsync } = useChangeOfSite<InvitedAnswer>();
  const [made, setMade] = useState<InvitedAnswer>();
  const invite = async (values: Readonly<Record<string, string>>) => {
    setMade(await mutateAsync({ method: 'POST', path: '/members', body: values }));
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Invite somebody</h2>
      <Form action="Invite" onSubmit={invite} clears>
        {(faultOf) => (
          <>
            <Field
              {...{ label: 'E-mail', name: 'email', type: 'email', required: true }}
              fault={faultOf('email')}
            />
            <ChoiceField label="Role" name="role" fault={faultOf('role')}>
              {rolesFor(ownRole).map(({ role, label, what }) => (
                <option key={role} value={role}>
                  {label}: {what}
                </option>
              ))}
            </ChoiceField>
          </>
        )}
      </Form>
      {made && (
        <div className={styles.made} role="status">
          <p>
            {made.is_sent
              ? `A mail with this link is on its way to ${made.email}.`
              : `Send this link to ${made.email}.`}{' '}
            It works once, for seven days, and is not shown again.
          </p>
          <CopiedText text={made.url} name="The invitation" />
        </div>
      )}
    </Card>
  );
}

/** Who changed what on the site, and when members signed in. */
function AuditList() {
  const { timezone } = useSite();
  const { data, error } = useOfSite<AuditAnswer>('/audit?limit=50');
  return (
    <Card isPadded className={styles.card}>
      <h2>Audit log</h2>
      {error && <ErrorNote error={error} />}
      {data?.entries.length === 0 && (
        <p className={styles.soft}>No changes and no sign-ins of members yet.</p>
      )}
      {data && <AuditEntries entries={data.entries} timezone={timezone} />}
    </Card>
  );
}
