import { Card, Words } from '../../ui/layout.tsx';
import { BackendSteps } from './backend-steps.tsx';

/** What payments would add to the figures of a site without any, and how to report them. */
export function RevenueOffer() {
  return (
    <Card isPadded>
      <details>
        <summary>
          <Words look="soft">
            With payments, every row here also shows its revenue, and who pays after which visit:
          </Words>{' '}
          <Words look="link">report payments</Words>
        </summary>
        <BackendSteps />
      </details>
    </Card>
  );
}
