import { Stack } from '../ui/layout.tsx';
import { Unloaded } from '../ui/note.tsx';
import styles from '../widgets/live/live.module.css';
import { LiveMap } from '../widgets/live/live-map.tsx';
import { Now } from '../widgets/live/now.tsx';
import { LivePlaces } from '../widgets/live/places.tsx';
import { Stream } from '../widgets/live/stream.tsx';
import { useLive } from '../widgets/live/use-live.ts';

const REFRESH_MS = 5_000;

/** Who is on the site now, where they are and came from, and what they do. */
export function LivePage() {
  const { data, error, refetch } = useLive(REFRESH_MS);
  return (
    <>
      <h1 className={styles.title}>Live</h1>
      {data === undefined && <Unloaded {...{ error, refetch }} height={480} />}
      {data && (
        <div className={styles.page}>
          <Now live={data} />
          <Stream now={data.now} />
          <Stack>
            <LiveMap countries={data.countries} />
            <LivePlaces
              title="Pages"
              dimension="event:page"
              rows={data.pages}
              ifEmpty="Nobody is on the site. Pages appear here when they are opened."
            />
            <LivePlaces
              title="Sources"
              dimension="visit:source"
              rows={data.sources}
              ifEmpty="The sources of the next visitors will appear here."
            />
          </Stack>
        </div>
      )}
    </>
  );
}
