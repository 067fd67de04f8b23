import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { classes } from '../../ui/classes.ts';
import { Segments } from '../segments/segments.tsx';
import { AttributionMenu } from './attribution-menu.tsx';
import styles from './bar.module.css';

import { CompareMenu } from './compare-menu.tsx';
import { Filters } from './filters.tsx';
import { IgnoredLine } from './ignored-line.tsx';
import { MetaLines } from './meta-lines.tsx';
import { PeriodMenu } from './period-menu.tsx';
import { ShareButton } from './share-button.tsx';

/** Which of the controls change something on the page, besides period and filters. */
type BarProps = { readonly compares?: boolean; readonly attributes?: boolean };

/** The page-wide controls: period, comparison, attribution, filters. */
export function Bar({ compares = false, attributes = true }: BarProps) {
  const [view, change] = useView();
  const top = useRef<HTMLDivElement>(null);
  const { shared, has_payments } = useSite();
  const [isStuck, height] = useStuck(top);
  return (
    <>
      <div ref={top} />
      <div
        className={classes(styles.bar, isStuck && styles.stuck)}
        style={{ '--bar-height': `${height}px` } as CSSProperties}
      >
        <div className={styles.choices}>
          <PeriodMenu view={view} onChange={change} />
          {compares && <CompareMenu view={view} onChange={change} />}
          {attributes && has_payments && <AttributionMenu view={view} onChange={change} />}
          <Filters view={view} onChange={change} />
          {shared === undefined && <Segments view={view} onChange={change} />}
        </div>
        {shared === undefined && <ShareButton />}
      </div>
      <IgnoredLine />
      <MetaLines />
    </>
  );
}

/** Whether an element has scrolled off the top, and the height of the next one before that. */
function useStuck(element: RefObject<HTMLElement | null>): readonly [boolean, number] {
  const [stuck, setStuck] = useState<readonly [boolean, number]>([false, 0]);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(([seen]) => {
      const isAbove = seen?.isIntersecting === false && seen.boundingClientRect.top < 0;
      const next = seen?.target.nextElementSibling as HTMLElement | null | undefined;
      setStuck(([wasAbove, height]) => [isAbove, wasAbove ? height : (next?.offsetHeight ?? 0)]);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return stuck;
}
