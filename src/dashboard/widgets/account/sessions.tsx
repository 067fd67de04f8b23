import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/api.ts';
import { nameBrowser } from '../../format/browsers.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { wordsClass } from '../../ui/layout.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table.tsx';

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
  const error = sessions.error ?? ended.error;
  const columns: readonly Column<Session>[] = [
    {
      ...{ name: 'browser', label: '' },
      cell: ({ userAgent }) => nameBrowser(userAgent ?? ''),
      attributes: ({ userAgent }) => ({ title: userAgent ?? '' }),
    },
    {
      ...{ name: 'since', label: '', className: wordsClass('soft', 'small') },
      cell: ({ createdAt }) => `since ${formatInstant(createdAt, ZONE)}`,
    },
    {
      ...{ name: 'end', label: '', isNumber: true },
      cell: ({ id, token }) =>
        id === own.data?.session.id ? (
          'This browser'
        ) : (
          <Button size="small" onClick={() => ended.mutate({ token })}>
            Sign out
          </Button>
        ),
    },
  ];
  return (
    <Section title="Where you are signed in">
      {error && <ErrorNote error={error} onRetry={() => void sessions.refetch()} />}
      {sessions.data === undefined && <Bones height={96} />}
      <Table
        {...{ label: 'Sessions', columns, look: 'plain', narrow: 'wrap', hasHead: false }}
        rows={sessions.data ?? []}
        keyOf={({ id }) => id}
      />
      <div>
        <Button onClick={() => ended.mutate(undefined)}>Sign out everywhere else</Button>
      </div>
    </Section>
  );
}
