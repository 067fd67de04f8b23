import { MODELS, modelOf } from '../../format/models.ts';
import { Card } from '../../ui/card.tsx';
import { Columns, Words } from '../../ui/layout.tsx';
import styles from './model-notes.module.css';
import { useComparison } from './use-comparison.ts';

/** Explains the two chosen models, and all others on demand. */
export function ModelNotes() {
  const { model, versus } = useComparison();
  const others = MODELS.filter(({ value }) => value !== model && value !== versus);
  return (
    <Card isPadded aria-label="What the models mean">
      <Columns as="dl" least={280} gap={24}>
        {[model, versus].map((each) => (
          <Note key={each} model={each} />
        ))}
      </Columns>
      <details className={styles.others}>
        <summary>Other models</summary>
        <Columns as="dl" least={280} gap={24}>
          {others.map(({ value }) => (
            <Note key={value} model={value} />
          ))}
        </Columns>
      </details>
    </Card>
  );
}

function Note({ model }: { readonly model: string }) {
  const { label, meaning, advice } = modelOf(model);
  return (
    <div>
      <Words as="dt" look="bold">
        {label}
      </Words>
      <dd>
        {meaning} <Words look="soft">{advice}</Words>
      </dd>
    </div>
  );
}
