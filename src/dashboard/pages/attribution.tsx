import { MODELS, modelOf } from '../format/models.ts';
import { Card, Columns, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { ModelComparison } from '../widgets/attribution/comparison.tsx';
import { PurchasePathsCard } from '../widgets/attribution/purchase-paths.tsx';
import { useComparison } from '../widgets/attribution/shifts.ts';
import { Bar } from '../widgets/bar/bar.tsx';

/** Who earns the revenue, by two models side by side, and how long buyers take. */
export function AttributionPage() {
  return (
    <>
      <Bar />
      <Stack>
        <h1>Attribution</h1>
        <ModelComparison />
        <ModelNotes />
        <PurchasePathsCard />
      </Stack>
    </>
  );
}

/** Explains the two chosen models, and all others on demand. */
function ModelNotes() {
  const { model, versus } = useComparison();
  const others = MODELS.filter(({ value }) => value !== model && value !== versus);
  return (
    <Card isPadded aria-label="What the models mean">
      <Columns as="dl" least={280} gap={24}>
        {[model, versus].map((each) => (
          <Note key={each} model={each} />
        ))}
      </Columns>
      <details style={{ marginTop: 16 }}>
        <summary className={wordsClass('soft')}>Other models</summary>
        <Columns as="dl" least={280} gap={24} style={{ paddingTop: 12 }}>
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
