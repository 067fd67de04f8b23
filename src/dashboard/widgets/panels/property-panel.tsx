import { Field } from '../../ui/field.tsx';
import styles from './panel.module.css';
import type { PanelProps } from './panel-props.ts';
import { RowsPanel } from './rows-panel.tsx';
import { dimensionOf } from './tabs.ts';
import { useProperty } from './use-choice.ts';

/** The values of one property that events carry, such as a goal's `plan`. */
export function PropertyPanel(props: PanelProps) {
  const [property, choose] = useProperty();
  const dimension = dimensionOf(props.choice.tab, property);
  if (dimension === undefined) {
    return (
      <form
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault();
          choose(String(new FormData(event.currentTarget).get('property')).trim());
        }}
      >
        <Field
          label="Property"
          name="property"
          placeholder="plan"
          pattern="[a-z0-9_\-]{1,64}"
          hint="The name of a custom parameter, as your goals send it. Enter shows its values."
        />
      </form>
    );
  }
  return <RowsPanel {...props} dimension={dimension} />;
}
