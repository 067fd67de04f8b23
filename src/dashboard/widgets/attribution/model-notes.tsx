import { MODELS, modelOf } from '../../format/models.ts';
import { Card } from '../../ui/card.tsx';
import styles from './model-notes.module.css';
import { useComparison } from './use-comparison.ts';

/** Explains the two chosen models, and all others on demand. */
export function ModelNotes() {
  const { model, versus } = useComparison();
  const others = MODELS.filter(({ value }) => value !== model && value !== versus);
  return (
    <Card isPadded aria-label="What the models mean">
      <dl className={styles.notes}>
        {[model, versus].map((each) => (
          <Note key={each} model={each} />
        ))}
      </dl>
      <details className={styles.others}>
        <summary>Other models</summary>
        <dl className={styles.notes}>
          {others.map(({ value }) => (
            <Note key={value} model={value} />
          ))}
        </dl>
      </details>
    </Card>
  );
}

function Note({ model }: { readonly model: string }) {
  const { label, meaning, advice } = modelOf(model);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {meaning} <span>{advice}</span>
      </dd>
    </div>
  );
}
