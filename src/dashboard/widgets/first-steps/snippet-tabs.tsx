import { useState } from 'react';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './first-steps.module.css';
import type { Snippet } from './snippets.ts';

/** The same step for several frameworks. */
export function SnippetTabs(props: {
  readonly name: string;
  readonly snippets: readonly Snippet[];
}) {
  const { name, snippets } = props;
  const [chosen, setChosen] = useState(snippets[0]?.value ?? '');
  const snippet = snippets.find((each) => each.value === chosen);
  return (
    <div className={styles.snippets}>
      <Tabs name={name} value={chosen} choices={snippets} onChoose={setChosen} wraps />
      {snippet && <CopiedText text={snippet.code} name={`${name}, ${snippet.label}`} />}
    </div>
  );
}
