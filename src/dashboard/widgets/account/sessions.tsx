import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/api.ts';
import { nameBrowser } from '../../format/browsers.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Section, wordsClass } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';

type Session = {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly userAgent?: string | null;
};

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The user's sessions, and buttons to end them. */
export function Sessions() {
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
