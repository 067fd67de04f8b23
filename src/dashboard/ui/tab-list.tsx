import { classes } from './classes.ts';
import styles from './tab-list.module.css';

type TabListProps<Name extends string> = {
  readonly name: string;
  readonly tabs: readonly { readonly name: Name; readonly label: string }[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
};

/** A row of tabs, one of them selected. */
export function TabList<Name extends string>(props: TabListProps<Name>) {
  const { name, tabs, chosen, onChoose } = props;
  return (
    <fieldset className={styles.tabs} aria-label={name}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          className={classes(styles.tab)}
          aria-pressed={tab.name === chosen}
          onClick={() => onChoose(tab.name)}
        >
          {tab.label}
        </button>
      ))}
    </fieldset>
  );
}
