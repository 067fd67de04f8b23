import { useRef, useState } from 'react';
import type { ChangeView, View } from '../../address/address.ts';
import { daysOf } from '../../address/period-days.ts';
import { namePeriod, PERIODS } from '../../address/periods.ts';
import { useSite } from '../../api/account.ts';
import { formatDays, todayIn } from '../../format/dates.ts';
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../ui/menu/menu.tsx';
import { useOpening } from '../keys/commands.ts';
import styles from './bar.module.css';
import { DaysWindow } from './days-window.tsx';

type PeriodMenuProps = { readonly view: View; readonly onChange: ChangeView };

/** The period: presets with shortcuts, or two days from a calendar. */
export function PeriodMenu({ view, onChange }: PeriodMenuProps) {
  const { timezone } = useSite();
  const [isCalendarOpen, setCalendarOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  useOpening('calendar', () => setCalendarOpen(true));
  const days = daysOf(view, todayIn(timezone));
  const written = days && formatDays(...days);
  const preset = PERIODS.find(({ value }) => value === view.period)?.label;
  const label = view.period === 'custom' ? written : namePeriod(view.period);
  const hint = preset === undefined ? undefined : written;
  return (
    <span ref={button}>
      <Menu
        name={['Period:', label, hint].filter(Boolean).join(' ')}
        label={
          <>
            <b>{label}</b> {hint && <small className={styles.days}>{hint}</small>}
          </>
        }
      >
        <MenuChoices
          value={view.period}
          choices={PERIODS}
          onChoose={(period) => onChange({ period, from: '', to: '' })}
        />
        <MenuLine />
        <MenuItem shortcut="C" onClick={() => setCalendarOpen(true)}>
          Choose days…
        </MenuItem>
      </Menu>
      <DaysWindow
        name="Days of the period"
        anchor={button}
        isOpen={isCalendarOpen}
        days={days}
        onClose={() => setCalendarOpen(false)}
        onChoose={([from, to]) => onChange({ period: 'custom', from, to })}
      />
    </span>
  );
}
