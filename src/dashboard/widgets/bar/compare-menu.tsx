import { useRef, useState } from 'react';
import type { ChangeView, View } from '../../address/address.ts';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../ui/menu/menu.tsx';
import { COMPARISONS, nameComparison } from './choices.ts';
import { DaysWindow } from './days-window.tsx';

type CompareMenuProps = { readonly view: View; readonly onChange: ChangeView };

/** Chooses the comparison. */
export function CompareMenu({ view, onChange }: CompareMenuProps) {
  const [isCalendarOpen, setCalendarOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const label = nameComparison(view.compare);
  const [from, to] = view.compare.split('..');
  if (view.period === 'all') return null; // No earlier period.
  return (
    <span ref={button}>
      <Menu
        name={`Comparison: ${label}`}
        label={
          <>
            {label}
            <Arrow />
          </>
        }
      >
        <MenuChoices<string>
          value={view.compare}
          choices={COMPARISONS}
          onChoose={(compare) => onChange({ compare })}
        />
        <MenuLine />
        <MenuItem onClick={() => setCalendarOpen(true)}>Choose days…</MenuItem>
      </Menu>
      <DaysWindow
        name="Days to compare with"
        anchor={button}
        isOpen={isCalendarOpen}
        days={from !== undefined && to !== undefined ? [from, to] : undefined}
        onClose={() => setCalendarOpen(false)}
        onChoose={(days) => onChange({ compare: days.join('..') })}
      />
    </span>
  );
}
