import { type RefObject, Suspense } from 'react';
import { addDays, type Days } from '../../address/period-days.ts';
import { useSite } from '../../api/account.ts';
import { todayIn } from '../../format/dates.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Popover } from '../../ui/menu/popover.tsx';
import { Bones } from '../../ui/note.tsx';

const Calendar = lazyPart(() => import('../../ui/calendar/calendar.tsx'), 'Calendar');

type DaysWindowProps = {
  readonly name: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  /** The initial selection; the last 30 days by default. */
  readonly days: Days | undefined;
  readonly onClose: () => void;
  readonly onChoose: (days: Days) => void;
};

/** A calendar beside a button. */
export function DaysWindow({ name, anchor, isOpen, days, onClose, onChoose }: DaysWindowProps) {
  const today = todayIn(useSite().timezone);
  const [from, to] = days ?? [addDays(today, -29), today];
  return (
    <Popover name={name} anchor={anchor} isOpen={isOpen} onOpenChange={(open) => open || onClose()}>
      <Suspense fallback={<Bones width={280} height={336} />}>
        <Calendar
          from={from}
          to={to}
          today={today}
          onChoose={(first, last) => {
            onClose();
            onChoose([first, last]);
          }}
        />
      </Suspense>
    </Popover>
  );
}
