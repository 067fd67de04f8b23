import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/api.ts';
import { nameBrowser } from '../../format/browsers.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import styles from '../settings/settings.module.css';

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
  return (
    <Section title="Where you are signed in">
      {error && <ErrorNote error={error} onRetry={() => void sessions.refetch()} />}
      {sessions.data === undefined && <Bones height={96} />}
      <table className={styles.table}>
        <tbody>
          {sessions.data?.map(({ id, token, createdAt, userAgent }) => (
            <tr key={id}>
              <td title={userAgent ?? ''}>{nameBrowser(userAgent ?? '')}</td>
              <td className={styles.when}>since {formatInstant(createdAt, ZONE)}</td>
              <td>
                {id === own.data?.session.id ? (
                  'This browser'
                ) : (
                  <Button size="small" onClick={() => ended.mutate({ token })}>
                    Sign out
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <Button onClick={() => ended.mutate(undefined)}>Sign out everywhere else</Button>
      </div>
    </Section>
  );
}
