import { Button } from '../../ui/button.tsx';
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
  if (dimension === undefined) return <PropertyForm onChoose={choose} />;
  return (
    <>
      <p className={styles.property}>
        <b>{property}</b>
        <button
          type="button"
          className={styles.change}
          aria-label="Change the property"
          onClick={() => choose('')}
        >
          Change
        </button>
      </p>
      <RowsPanel key={property} {...props} dimension={dimension} />
    </>
  );
}

function PropertyForm({ onChoose }: { readonly onChoose: (property: string) => void }) {
  return (
    <form
      className={styles.ask}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(String(new FormData(event.currentTarget).get('property')).trim());
      }}
    >
      <Field
        label="Property"
        name="property"
        placeholder="plan"
        required
        autoComplete="on"
        pattern="[a-z0-9_\-]{1,64}"
        title="Lower-case letters, digits, _ and -"
        hint="A custom parameter of your goals, such as plan."
      />
      <Button type="submit">Show values</Button>
    </form>
  );
}
