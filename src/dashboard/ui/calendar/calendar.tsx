import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { classes, Inline, Stack, Words } from '../layout.tsx';
import styles from './calendar.module.css';
import { firstWeekdayOf, monthWeeks, moveDay, moveMonth } from './month-weeks.ts';

type CalendarProps = {
  /** The selected first and last day. */
  readonly from: string;
  readonly to: string;
  /** Later days are disabled. */
  readonly today: string;
  readonly onChoose: (from: string, to: string) => void;
};

const STEP = { look: 'plain', style: { width: 32, padding: 0, fontSize: 20 } } as const;

/** A month in which to choose two days, by clicks, by arrows and Enter, or by typing. */
export function Calendar({ from, to, today, onChoose }: CalendarProps) {
  const [start, setStart] = useState<string>();
  const [at, setAt] = useState(to > today ? today : to);
  const heading = useId();
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(true);
  const weeks = monthWeeks(at, firstWeekdayOf(navigator.language));

  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
  }, [at]);

  const goTo = (day: string) => setAt(day > today ? today : day);
  const choose = (day: string) => {
    setAt(day);
    if (start === undefined) setStart(day);
    else onChoose(start < day ? start : day, start < day ? day : start);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveDay(at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    goTo(next);
  };
  const isWithin = (day: string) => {
    const [first, last] = start === undefined ? [from, to] : [start, at].toSorted();
    return day >= (first ?? day) && day <= (last ?? day);
  };

  return (
    <Stack gap={8} className={styles.calendar}>
      <Inline isSpread>
        <Button {...STEP} aria-label="Previous month" onClick={() => goTo(moveMonth(at, -1))}>
          ‹
        </Button>
        <Words as="b" id={heading} look="bold" aria-live="polite">
          {write(at, { month: 'long', year: 'numeric' })}
        </Words>
        <Button
          {...STEP}
          aria-label="Next month"
          disabled={at.slice(0, 7) >= today.slice(0, 7)}
          onClick={() => goTo(moveMonth(at, 1))}
        >
          ›
        </Button>
      </Inline>
      <table ref={grid} style={{ width: '100%' }} aria-labelledby={heading} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={write(day, { weekday: 'long' })}>
                {write(day, { weekday: 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className={classes(isWithin(day) && styles.within)}>
                  <button
                    type="button"
                    data-day={day}
                    className={classes(day.slice(0, 7) !== at.slice(0, 7) && styles.other)}
                    aria-label={write(day, { dateStyle: 'full' })}
                    aria-current={day === today ? 'date' : undefined}
                    aria-pressed={isWithin(day)}
                    tabIndex={day === at ? 0 : -1}
                    disabled={day > today}
                    onClick={() => choose(day)}
                    onMouseEnter={() =>
                      start !== undefined && day.slice(0, 7) === at.slice(0, 7) && setAt(day)
                    }
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Words as="p" look={['soft', 'small']} role="status">
        {start === undefined
          ? 'Choose the first day.'
          : `From ${write(start, { day: 'numeric', month: 'long' })}: choose the last day.`}
      </Words>
      <TypedDays {...{ from, to, today, onChoose }} />
    </Stack>
  );
}

/** The same two days by typing them. */
function TypedDays({ from, to, today, onChoose }: CalendarProps) {
  const style = { flex: 1, minHeight: 28, padding: '0 4px', fontSize: 12 };
  const day = { type: 'date', required: true, max: today, style };
  return (
    <form
      onSubmit={(sent) => {
        sent.preventDefault();
        const days = new FormData(sent.currentTarget);
        const [first, last] = [days.get('first'), days.get('last')].map(String).toSorted();
        if (first && last) onChoose(first, last);
      }}
    >
      <Inline gap={4} style={{ flexWrap: 'nowrap' }}>
        <input {...day} name="first" aria-label="First day" defaultValue={from} />
        <input {...day} name="last" aria-label="Last day" defaultValue={to > today ? today : to} />
        <Button type="submit" size="small">
          Apply
        </Button>
      </Inline>
    </form>
  );
}

function write(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
