import type { ChangeView, View } from '../../address/address.ts';
import type { BucketUnit } from '../../format/dates.ts';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';
import { chosenUnit, daysOf, unitsFor } from '../figures/units.ts';
import styles from './chart.module.css';

const NAMES = {
  minute: 'By the minute',
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
} as const satisfies Readonly<Record<BucketUnit, string>>;

type UnitMenuProps = {
  readonly view: View;
  /** The unit in use. */
  readonly shown: BucketUnit | undefined;
  readonly onChange: ChangeView;
  readonly onZoomBack: (() => void) | undefined;
  readonly onAddNote: (() => void) | undefined;
};

/** The chart's bucket unit, a button to zoom out, and one to add a note. */
export function UnitMenu({ view, shown, onChange, onZoomBack, onAddNote }: UnitMenuProps) {
  const units = unitsFor(daysOf(view)).map((value) => ({ value, label: NAMES[value] }));
  return (
    <div className={styles.units}>
      {onZoomBack && (
        <button type="button" className={styles.unit} onClick={onZoomBack}>
          Zoom out
        </button>
      )}
      {onAddNote && (
        <button
          type="button"
          className={styles.unit}
          title="Add a note to the chart"
          onClick={onAddNote}
        >
          + Note
        </button>
      )}
      <Menu
        label={
          <>
            {shown === undefined ? 'Unit' : NAMES[shown]} <Arrow />
          </>
        }
        name={`Unit of time: ${shown === undefined ? 'automatic' : NAMES[shown]}`}
        className={styles.unit ?? ''}
        align="end"
      >
        <MenuChoices
          value={chosenUnit(view)}
          choices={[{ value: 'auto', label: 'Automatic' }, ...units]}
          onChoose={(by) => onChange({ by })}
        />
      </Menu>
    </div>
  );
}
