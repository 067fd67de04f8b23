import { Bones, Unloaded } from '../../ui/note.tsx';
import { NoFoot } from './foot.tsx';
import styles from './panel.module.css';
import { ROWS } from './rows.ts';

const WIDTHS = [92, 64, 78, 40, 55, 30, 47].slice(0, ROWS);

type Unloadable = Pick<Parameters<typeof Unloaded>[0], 'error' | 'refetch'>;

/** What stands for a panel's answer that is not here. */
export function UnloadedPanel({ error, refetch }: Unloadable) {
  return (
    <Unloaded {...{ error, refetch }}>
      <Skeleton />
    </Unloaded>
  );
}

/** Grey placeholder rows of the final height, and room for the line below. */
export function Skeleton() {
  return (
    <>
      <div className={styles.body} aria-busy="true">
        <div className={styles.skeletonHead} />
        {WIDTHS.map((width) => (
          <div key={width} className={styles.skeletonRow}>
            <Bones width={`${width * 0.6}%`} height={20} />
          </div>
        ))}
      </div>
      <NoFoot />
    </>
  );
}
