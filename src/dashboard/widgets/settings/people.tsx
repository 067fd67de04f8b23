import { useState } from 'react';
import type { AuditAnswer } from '#contract/sites/audit.ts';
import type { InvitedAnswer, MembersAnswer } from '#contract/sites/members.ts';
import { useChangeOfSite, useMe, useOfSite, useSite, type ViewedSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { ShownOnce } from '../../ui/copied-text.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { LongWord, Section, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { RemoveButton } from '../saved/saved.tsx';
import { AuditEntries } from './audit-entries.tsx';
import styles from './settings.module.css';

/** Who has access to the site, and invitations. */
export function People() {
  return (
    <Loaded of={useOfSite<MembersAnswer>('/members')} height={240}>
      {(found) => (
        <>
          <Section title="People">
            <MemberTable {...found} />
          </Section>
          <Invite />
          <AuditList />
        </>
      )}
    </Loaded>
  );
}

function Invite() {
  const { role: ownRole } = useSite();
  const { mutateAsync } = useChangeOfSite<InvitedAnswer>();
  const [made, setMade] = useState<InvitedAnswer>();
  const invite = async (values: FormValues) => {
    setMade(await mutateAsync({ method: 'POST', path: '/members', body: values }));
  };
  const options = rolesFor(ownRole).map(({ role: value, label, what }) => ({
    ...{ value, label: `${label}: ${what}` },
  }));
  return (
    <Section title="Invite somebody">
      <Form
        {...{ action: 'Invite', onSubmit: invite, clears: true }}
        fields={[
          { label: 'E-mail', name: 'email', type: 'email', required: true },
          { label: 'Role', name: 'role', options },
        ]}
      />
      {made && (
        <ShownOnce text={made.url} name="The invitation">
          {made.is_sent
            ? `A mail with this link is on its way to ${made.email}.`
            : `Send this link to ${made.email}.`}{' '}
          It works once, for seven days, and is not shown again.
        </ShownOnce>
      )}
    </Section>
  );
}

/** Who changed what on the site, and when members signed in. */
function AuditList() {
  const { timezone } = useSite();
  return (
    <Section title="Audit log">
      <Loaded
        of={useOfSite<AuditAnswer>('/audit?limit=50')}
        isEmpty={({ entries }) => entries.length === 0}
        empty="No changes and no sign-ins of members yet."
      >
        {({ entries }) => <AuditEntries {...{ entries, timezone }} />}
      </Loaded>
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
    textColumn({ name: 'who', label: '', className: styles.named }, (row) => (
      <>
        {'name' in row && row.name}
        <Words as="div" look="soft">
          <LongWord text={row.email} />
        </Words>
      </>
    )),
    textColumn({ name: 'role', label: '' }, (row) => {
      if (!('name' in row)) return row.role;
      if (mayChange(row)) return <RoleChoice member={row} />;
      return row.is_owner ? 'owner of this server' : row.role;
    }),
    textColumn({ name: 'state', label: '' }, (row) => {
      if ('name' in row) return row.two_factor && 'two-factor';
      return `invited until ${formatInstant(row.expires_at, timezone)}`;
    }),
    numberColumn({ name: 'remove', label: '' }, (row) => {
      if (!('name' in row)) {
        return <RemoveMember name={row.email} path={`/invitations/${row.id}`} />;
      }
      return mayChange(row) && <RemoveMember name={row.name} path={`/members/${row.user_id}`} />;
    }),
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

function RemoveMember(props: { readonly name: string; readonly path: string }) {
  return (
    <RemoveButton {...props} aria-label={`Remove ${props.name}`}>
      <p>They lose access to this site at once.</p>
    </RemoveButton>
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
