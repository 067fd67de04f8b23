import { useState } from 'react';
import { CopiedText } from '../../ui/copied-text.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import styles from './first-steps.module.css';
import type { Snippet } from './snippets.ts';

/** The same step for several frameworks. */
export function SnippetTabs(props: {
  readonly name: string;
  readonly snippets: readonly Snippet[];
}) {
  const { name, snippets } = props;
  const [chosen, setChosen] = useState(snippets[0]?.name ?? '');
  const snippet = snippets.find((each) => each.name === chosen);
  return (
    <div className={styles.snippets}>
      <TabList name={name} tabs={snippets} chosen={chosen} onChoose={setChosen} />
      {snippet && <CopiedText text={snippet.code} name={`${name}, ${snippet.label}`} />}
    </div>
  );
}
