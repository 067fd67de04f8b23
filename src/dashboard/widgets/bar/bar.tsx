import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { COMPARISONS, nameAttribution, nameComparison, WINDOWS } from '../../address/periods.ts';
import { useSite } from '../../api/account.ts';
import { MODELS } from '../../format/models.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copied-text.tsx';
import { classes } from '../../ui/layout.tsx';
import { Bones, lazyPart } from '../../ui/loaded.tsx';
import { ChoiceMenu, Menu, Popover } from '../../ui/menu/menu.tsx';
import { useOpening } from '../keys/key-table.ts';
import styles from './bar.module.css';
import { IgnoredLine, MetaLines } from './bar-notes.tsx';
import { Filters } from './filters.tsx';
import { DaysWindow, PeriodMenu } from './period-menu.tsx';

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
          <PeriodMenu />
          {compares && <CompareMenu />}
          {attributes && has_payments && <AttributionMenu />}
          <Filters view={view} onChange={(filters) => change({ filters })} />
          {shared === undefined && <Segments />}
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

/** Chooses the comparison. */
export function CompareMenu() {
  const [view, change] = useView();
  const [isCalendarOpen, setCalendarOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const label = nameComparison(view.compare);
  const [from, to] = view.compare.split('..');
  useOpening('comparison', () => change({ compare: view.compare === 'off' ? 'previous' : 'off' }));
  if (view.period === 'all') return null; // No earlier period.
  return (
    <span ref={button}>
      <Menu
        {...{ name: `Comparison: ${label}`, label }}
        entries={[
          { value: view.compare, choices: COMPARISONS, onChoose: (compare) => change({ compare }) },
          'line',
          { label: 'Choose days…', onClick: () => setCalendarOpen(true) },
        ]}
      />
      <DaysWindow
        {...{ name: 'Days to compare with', anchor: button, isOpen: isCalendarOpen }}
        days={from !== undefined && to !== undefined ? [from, to] : undefined}
        onClose={() => setCalendarOpen(false)}
        onChoose={(days) => change({ compare: days.join('..') })}
      />
    </span>
  );
}

const SHOWN_MS = 2_000;

const WORDS = { ready: 'Share', copied: 'Link copied', failed: 'Copy the URL above' } as const;

/** Copies the URL, which holds the whole view. Admins can also create a public link. */
function ShareButton() {
  const [state, setState] = useState<keyof typeof WORDS>('ready');
  const [view] = useView();
  const [, navigate] = useLocation();
  const { domain, role } = useSite();
  const share = async () => {
    setState((await copyText(location.href)) ? 'copied' : 'failed');
    setTimeout(() => setState('ready'), SHOWN_MS);
  };
  useOpening('share', () => void share());
  const words = <span aria-live="polite">{WORDS[state]}</span>;
  if (role === 'viewer') {
    return (
      <Button onClick={() => void share()} title="Copies a link to this view">
        {words}
      </Button>
    );
  }
  return (
    <Menu
      {...{ label: words, hasArrow: false, align: 'end' }}
      entries={[
        { label: 'Copy the link to this view', onClick: () => void share() },
        {
          label: 'Show it to people without a login…',
          onClick: () => navigate(`/${domain}/settings/sharing${keptSearch(view)}`),
        },
      ]}
    />
  );
}

const SegmentList = lazyPart(
  () => import('../saved/saved.tsx'),
  'SegmentList',
  <Bones width={320} height={160} />,
);

/** A button that opens the list of saved segments. */
function Segments() {
  const [view, change] = useView();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover label="Segments" isOpen={isOpen} onOpenChange={setOpen}>
      <SegmentList
        filters={view.filters}
        onChoose={(filters) => {
          setOpen(false);
          change({ filters });
        }}
      />
    </Popover>
  );
}

/** Chooses the attribution model and the lookback window. */
export function AttributionMenu() {
  const [view, change] = useView();
  const label = nameAttribution(view);
  return (
    <Menu
      {...{ name: `Attribution: ${label}`, label }}
      entries={[
        { heading: 'Credit goes to' },
        { value: view.model, choices: MODELS, onChoose: (model) => change({ model }) },
        'line',
        { heading: 'Visits count for' },
        { value: view.window, choices: WINDOWS, onChoose: (window) => change({ window }) },
      ]}
    />
  );
}

type ModelChoiceProps = Omit<Parameters<typeof ChoiceMenu<string>>[0], 'choices'>;

/** A button naming a model; opens the list of models. */
export function ModelChoice(props: ModelChoiceProps) {
  return <ChoiceMenu<string> {...{ ...props, choices: MODELS, align: 'end' }} />;
}
