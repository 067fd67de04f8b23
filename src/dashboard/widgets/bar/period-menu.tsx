import { type ComponentProps, useRef, useState } from 'react';
import { useView } from '../../address/address.ts';
import { type Days, daysOf, namePeriod, PERIODS, stepPeriod } from '../../address/periods.ts';
import { useSite } from '../../api/account.ts';
import { formatDays, todayIn } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { addDays } from '../../ui/calendar/month-weeks.ts';
import { Words } from '../../ui/layout.tsx';
import { Bones, lazyPart } from '../../ui/loaded.tsx';
import { Menu, Popover } from '../../ui/menu/menu.tsx';
import { useOpening } from '../keys/key-table.ts';

/** The period: presets with shortcuts, or two days from a calendar; and those before and after. */
export function PeriodMenu() {
  const [view, change] = useView();
  const { timezone, shared } = useSite(); // Shared links show whole days.
  const [isCalendarOpen, setCalendarOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const choose = (period: string) => change({ period, from: '', to: '' });
  const next = (step: -1 | 1) => stepPeriod(view, today, step);
  const goTo = (step: -1 | 1) => change(next(step) ?? {});
  useOpening('calendar', () => setCalendarOpen(true));
  useOpening('period', choose);
  useOpening('step', (step) => goTo(step === '1' ? 1 : -1));
  const today = todayIn(timezone);
  const days = daysOf(view, today);
  const written = days && formatDays(...days);
  const label = view.period === 'custom' ? written : namePeriod(view.period);
  const hint = view.period === 'custom' ? undefined : written;
  const stepBy = (step: -1 | 1, name: string, arrow: string, key: string) => (
    <Button
      {...{ look: 'plain', style: { minWidth: 28, padding: 0 }, 'aria-label': name }}
      title={days ? `${name} (${key})` : `${label}: choose days to step back and forth`}
      disabled={next(step) === undefined}
      onClick={() => goTo(step)}
    >
      {arrow}
    </Button>
  );
  return (
    <span ref={button} style={{ display: 'inline-flex' }}>
      {stepBy(-1, 'Previous period', '‹', ',')}
      <Menu
        name={['Period:', label, hint].filter(Boolean).join(' ')}
        label={
          <>
            <Words look="bold">{label}</Words>{' '}
            {hint && (
              <Words as="small" look={['soft', 'small', 'wide']}>
                {hint}
              </Words>
            )}
          </>
        }
        entries={[
          {
            value: view.period,
            choices: PERIODS.filter(({ value }) => value !== '24h' || shared === undefined),
            onChoose: choose,
          },
          'line',
          { label: 'Choose days…', shortcut: 'C', onClick: () => setCalendarOpen(true) },
        ]}
      />
      {stepBy(1, 'Next period', '›', '.')}
      <DaysWindow
        {...{ name: 'Days of the period', anchor: button, isOpen: isCalendarOpen }}
        days={view.period === '24h' ? [addDays(today, -1), today] : days}
        onClose={() => setCalendarOpen(false)}
        onChoose={([from, to]) => change({ period: 'custom', from, to })}
      />
    </span>
  );
}

const Calendar = lazyPart(
  () => import('../../ui/calendar/calendar.tsx'),
  'Calendar',
  <Bones width={280} height={336} />,
);

type DaysWindowProps = Omit<ComponentProps<typeof Popover>, 'children'> & {
  /** The initial selection; the last 30 days by default. */
  readonly days: Days | undefined;
  readonly onClose: () => void;
  readonly onChoose: (days: Days) => void;
};

/** A calendar beside a button. */
export function DaysWindow({ days, onClose, onChoose, ...popover }: DaysWindowProps) {
  const today = todayIn(useSite().timezone);
  const [from, to] = days ?? [addDays(today, -29), today];
  return (
    <Popover {...popover} onOpenChange={(open) => open || onClose()}>
      <Calendar
        {...{ from, to, today }}
        onChoose={(first, last) => {
          onClose();
          onChoose([first, last]);
        }}
      />
    </Popover>
  );
}
