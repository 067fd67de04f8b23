import { useState } from 'react';
import type { AuditAnswer } from '#contract/sites/audit.ts';
import type { InvitedAnswer, MembersAnswer } from '#contract/sites/members.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { Section } from '../../ui/card.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNote, Unloaded } from '../../ui/note.tsx';
import { AuditEntries } from './audit-entries.tsx';
import { MemberTable } from './member-table.tsx';
import { rolesFor } from './roles.ts';
import styles from './settings.module.css';

/** Who has access to the site, and invitations. */
export function People() {
  const { data, error, refetch } = useOfSite<MembersAnswer>('/members');
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={240} />;
  return (
    <>
      <Section title="People">
        <MemberTable {...data} />
      </Section>
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
    <Section title="Invite somebody">
      <Form action="Invite" onSubmit={invite} clears>
        <Field {...{ label: 'E-mail', name: 'email', type: 'email', required: true }} />
        <ChoiceField
          label="Role"
          name="role"
          options={rolesFor(ownRole).map(({ role, label, what }) => ({
            value: role,
            label: `${label}: ${what}`,
          }))}
        />
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
    </Section>
  );
}

/** Who changed what on the site, and when members signed in. */
function AuditList() {
  const { timezone } = useSite();
  const { data, error } = useOfSite<AuditAnswer>('/audit?limit=50');
  return (
    <Section title="Audit log">
      {error && <ErrorNote error={error} />}
      {data?.entries.length === 0 && (
        <p className={styles.soft}>No changes and no sign-ins of members yet.</p>
      )}
      {data && <AuditEntries entries={data.entries} timezone={timezone} />}
    </Section>
  );
}
