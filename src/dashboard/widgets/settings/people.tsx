import { useState } from 'react';
import type { AuditAnswer } from '#contract/sites/audit.ts';
import type { InvitedAnswer, MembersAnswer } from '#contract/sites/members.ts';
import { useMe, useSite, type ViewedSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { Section } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Soft, Stack, Words } from '../../ui/layout.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { ErrorNote, Unloaded } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { AuditEntries } from './audit-entries.tsx';
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
        <Stack gap={8} role="status">
          <p>
            {made.is_sent
              ? `A mail with this link is on its way to ${made.email}.`
              : `Send this link to ${made.email}.`}{' '}
            It works once, for seven days, and is not shown again.
          </p>
          <CopiedText text={made.url} name="The invitation" />
        </Stack>
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
      {data?.entries.length === 0 && <Soft>No changes and no sign-ins of members yet.</Soft>}
      {data && <AuditEntries entries={data.entries} timezone={timezone} />}
    </Section>
  );
}

type Member = MembersAnswer['members'][number];
type Invitation = MembersAnswer['invitations'][number];

/** The site's members with their roles, and invitations. */
function MemberTable({ members, invitations }: MembersAnswer) {
  const { timezone, role: own } = useSite();
  const me = useMe().data?.user.id;
  // Nobody changes their own role or one above their own.
  const mayChange = ({ is_owner, user_id, role }: Member) =>
    !is_owner && user_id !== me && rolesFor(own).some((each) => each.role === role);
  const columns: readonly Column<Member | Invitation>[] = [
    {
      ...{ name: 'who', label: '', className: styles.named },
      cell: (row) => (
        <>
          {'name' in row && row.name}
          <Words as="div" look="soft">
            <LongWord text={row.email} />
          </Words>
        </>
      ),
    },
    {
      ...{ name: 'role', label: '' },
      cell: (row) => {
        if (!('name' in row)) return row.role;
        if (mayChange(row)) return <RoleChoice member={row} />;
        return row.is_owner ? 'owner of this server' : row.role;
      },
    },
    {
      ...{ name: 'state', label: '' },
      cell: (row) => {
        if ('name' in row) return row.two_factor && 'two-factor';
        return `invited until ${formatInstant(row.expires_at, timezone)}`;
      },
    },
    {
      ...{ name: 'remove', label: '', isNumber: true },
      cell: (row) => {
        if (!('name' in row)) {
          return <RemoveButton name={row.email} path={`/invitations/${row.id}`} />;
        }
        return mayChange(row) && <RemoveButton name={row.name} path={`/members/${row.user_id}`} />;
      },
    },
  ];
  return (
    <Table
      {...{ label: 'Members', columns, look: 'plain', narrow: 'wrap', hasHead: false }}
      rows={[...members, ...invitations]}
      keyOf={(row) => ('name' in row ? row.user_id : row.id)}
    />
  );
}

type MemberProps = { readonly member: Member };

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
  const { mutateAsync } = useChangeOfSite();
  return (
    <ConfirmButton
      title={`Remove ${name}?`}
      action="Remove"
      size="small"
      aria-label={`Remove ${name}`}
      onConfirm={() => mutateAsync({ method: 'DELETE', path })}
      label="Remove"
    >
      <p>They lose access to this site at once.</p>
    </ConfirmButton>
  );
}

/** The roles on a site, least powerful first. */
const ROLES = [
  { role: 'viewer', label: 'Viewer', what: 'sees everything' },
  { role: 'admin', label: 'Admin', what: 'also changes settings, keys and payments' },
  { role: 'owner', label: 'Owner', what: 'can also remove the site' },
] as const satisfies readonly {
  readonly role: ViewedSite['role'];
  readonly label: string;
  readonly what: string;
}[];

/** The {@link ROLES} a user may grant and revoke: `owner` only by owners. */
function rolesFor(own: ViewedSite['role']) {
  return ROLES.filter(({ role }) => own === 'owner' || (own === 'admin' && role !== 'owner'));
}
