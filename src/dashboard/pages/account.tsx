import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMe } from '../api/account.ts';
import { request } from '../api/api.ts';
import { formatInstant } from '../format/dates.ts';
import { nameBrowser } from '../format/values.ts';
import { Button } from '../ui/button.tsx';
import { Form, type FormValues } from '../ui/form.tsx';
import { Section, Soft, Stack, wordsClass } from '../ui/layout.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../ui/table.tsx';
import {
  EMAIL,
  NEW_PASSWORD,
  PASSWORD,
  requestLogin,
  YOUR_NAME,
} from '../widgets/account/login.ts';
import { OwnVisits } from '../widgets/account/own-visits.tsx';
import { TwoSteps } from '../widgets/account/two-steps.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { ServerAudit } from '../widgets/settings/audit-entries.tsx';
import { PlainFrame } from './site-frame.tsx';

/** The user's account: name, address, password, two-step sign-in, sessions and own visits; for the server's owner, its audit log. */
export function AccountPage() {
  usePageTitle('Your account');
  return (
    <PlainFrame title={<h1>Your account</h1>}>
      <Stack style={{ maxWidth: 760 }}>
        <NameForm />
        <Email />
        <Password />
        <TwoSteps />
        <Sessions />
        <OwnVisits />
        <ServerAudit />
      </Stack>
    </PlainFrame>
  );
}

/** A form for the address that the user signs in with. */
function Email() {
  const { data: me } = useMe();
  const client = useQueryClient();
  if (me === undefined) return null;
  const save = async ({ email, password }: FormValues) => {
    await request('/api/v1/me', { method: 'PATCH', body: { email, password } });
    await client.invalidateQueries({ queryKey: ['me'] });
  };
  return (
    <Section title="E-mail address">
      <Soft>
        You sign in as <b>{me.user.email}</b>. Summaries and alerts go there, too.
      </Soft>
      {me.pending_email !== null && (
        <p role="status">
          To change that to <b>{me.pending_email}</b>, open the link in the mail sent there within
          the hour.
        </p>
      )}
      <Form
        {...{ action: 'Change address', onSubmit: save, clears: true }}
        fields={[
          { ...EMAIL, label: 'New address', maxLength: 320, autoComplete: 'email' },
          { ...PASSWORD, label: 'Password of this login' },
        ]}
      />
    </Section>
  );
}

/** A form for the user's name. */
function NameForm() {
  const { data: me } = useMe();
  const client = useQueryClient();
  if (me === undefined) return null;
  const save = async ({ name }: FormValues) => {
    await request('/api/v1/me', { method: 'PATCH', body: { name } });
    await client.invalidateQueries({ queryKey: ['me'] });
    return 'Saved.';
  };
  return (
    <Section title="Name">
      <Form
        {...{ action: 'Save', onSubmit: save }}
        fields={[
          {
            ...{ ...YOUR_NAME, defaultValue: me.user.name, maxLength: 100 },
            hint: 'Members of your sites see it.',
          },
        ]}
      />
    </Section>
  );
}

/** A password change form. */
function Password() {
  const save = async (values: FormValues) => {
    const body = { currentPassword: values.password, newPassword: values.newPassword };
    await requestLogin('change-password', body);
    return 'Changed. You are signed out everywhere else.';
  };
  return (
    <Section title="Password">
      <Form
        {...{ action: 'Change password', onSubmit: save, clears: true }}
        fields={[
          { ...PASSWORD, label: 'Current password' },
          { ...NEW_PASSWORD, label: 'New password', name: 'newPassword' },
        ]}
      />
    </Section>
  );
}

type Session = {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly userAgent?: string | null;
};

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The user's sessions, and buttons to end them. */
function Sessions() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions', 'all'],
    queryFn: ({ signal }) => request<readonly Session[]>('/api/auth/list-sessions', { signal }),
  });
  const ended = useMutation({
    mutationFn: (body: { readonly token: string } | undefined) =>
      request(`/api/auth/revoke-${body ? 'session' : 'other-sessions'}`, { body: body ?? {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const own = useQuery({
    queryKey: ['sessions', 'own'],
    queryFn: ({ signal }) =>
      request<{ readonly session: Session }>('/api/auth/get-session', { signal }),
  });
  const columns: readonly Column<Session>[] = [
    textColumn(
      { name: 'browser', label: '', attributes: ({ userAgent }) => ({ title: userAgent ?? '' }) },
      ({ userAgent }) => nameBrowser(userAgent ?? ''),
    ),
    textColumn(
      { name: 'since', label: '', className: wordsClass('soft', 'small') },
      ({ createdAt }) => `since ${formatInstant(createdAt, ZONE)}`,
    ),
    numberColumn({ name: 'end', label: '' }, ({ id, token }) =>
      id === own.data?.session.id ? (
        'This browser'
      ) : (
        <Button size="small" onClick={() => ended.mutate({ token })}>
          Sign out
        </Button>
      ),
    ),
  ];
  return (
    <Section title="Where you are signed in">
      <Loaded of={sessions} height={96}>
        {(rows) => (
          <Table
            {...{ label: 'Sessions', columns, rows, look: 'plain', narrow: 'wrap', hasHead: false }}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
      {ended.error && <p role="alert">{ended.error.message}</p>}
      <div>
        <Button onClick={() => ended.mutate(undefined)}>Sign out everywhere else</Button>
      </div>
    </Section>
  );
}
