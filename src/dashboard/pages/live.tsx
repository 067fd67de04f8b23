import { useQuery } from '@tanstack/react-query';
import type { LiveAnswer } from '#contract/live.ts';
import { useSite } from '../account.ts';
import { request } from '../api.ts';
import { Bones, ErrorNote } from '../ui/note.tsx';
import styles from '../widgets/live/live.module.css';
import { LiveMap } from '../widgets/live/live-map.tsx';
import { Now } from '../widgets/live/now.tsx';
import { Places } from '../widgets/live/places.tsx';
import { Stream } from '../widgets/live/stream.tsx';

const REFRESH_MS = 5_000;
/** As many countries as the API returns; the lists show the top ones. */
const PATH = '/api/v1/live?limit=100';

/** Who is on the site now, where they are and came from, and what they do. */
export function LivePage() {
  const site = useSite();
  const { data, error, refetch } = useQuery({
    queryKey: [site.id, 'live'],
    queryFn: ({ signal }) => request<LiveAnswer>(PATH, { site: site.id, signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <h1 className={styles.title}>Live</h1>
      {data === undefined && error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Bones height={480} />}
      {data && (
        <div className={styles.page}>
          <Now live={data} />
          <Stream now={data.now} />
          <div className={styles.lists}>
            <LiveMap countries={data.countries} />
            <Places
              title="Pages"
              dimension="event:page"
              rows={data.pages}
              ifEmpty="Nobody is on the site. Pages appear here when they are opened."
            />
            <Places
              title="Sources"
              dimension="visit:source"
              rows={data.sources}
              ifEmpty="The sources of the next visitors will appear here."
            />
          </div>
        </div>
      )}
    </>
  );
}
