import styles from '../panel.module.css';
import type { PanelProps } from '../panel-props.ts';
import { RowsPanel } from '../rows-panel.tsx';
import { dimensionOf } from '../tabs.ts';
import { useProperty } from '../use-choice.ts';

/** The properties of goals, and the values of one of them, such as `plan`. */
export function PropertyPanel(props: PanelProps) {
  const [property, choose] = useProperty();
  return (
    <>
      {property !== '' && (
        <p className={styles.property}>
          <b>{property}</b>
          <button type="button" className={styles.change} onClick={() => choose('')}>
            All properties
          </button>
        </p>
      )}
      <RowsPanel key={property} {...props} dimension={dimensionOf(props.choice.tab, property)} />
    </>
  );
}
