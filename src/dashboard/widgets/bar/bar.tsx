import { useView } from '../../address.ts';
import { Menu, MenuChoices } from '../../ui/menu.tsx';
import styles from './bar.module.css';
import { PERIODS } from './periods.ts';

/** The choices that hold for the whole page: period, comparison, attribution, filters. */
export function Bar() {
  const [view, change] = useView();
  const period = PERIODS.find(({ value }) => value === view.period);
  return (
    <div className={styles.bar}>
      <Menu label={<b>{period?.label ?? 'Chosen days'}</b>}>
        <MenuChoices
          value={view.period}
          choices={PERIODS}
          onChoose={(chosen) => change({ period: chosen, from: '', to: '' })}
        />
      </Menu>
    </div>
  );
}
