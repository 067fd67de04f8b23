import type { ConnectionTest } from '#contract/sites/providers.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import settings from '../settings/settings.module.css';
import styles from './providers.module.css';
import type { ShownConnection } from './use-providers.ts';

/** What each step of a test proves. */
const STEPS: Readonly<Record<string, string>> = {
  secret: 'The connection has a signing secret',
  forged: 'A wrong signature is refused',
  signed: 'A right signature is accepted',
  again: 'The same event again is accepted, and counts once',
  inbox: 'The event is kept, and left out of all figures',
};

/** Sends a signed sample through the webhook's address, and shows each step. */
export function TestButton({ connection }: { readonly connection: ShownConnection }) {
  const { data, error, isPending, mutate } = useChangeOfSite<ConnectionTest>();
  const path = `/providers/${connection.id}/test`;
  return (
    <div className={styles.stack}>
      <div className={styles.foot}>
        <Button
          disabled={isPending || connection.missing.length > 0}
          onClick={() => mutate({ method: 'POST', path })}
        >
          Send a test event
        </Button>
        <span className={settings.soft}>It is signed, goes the same way, and counts nowhere.</span>
      </div>
      {error && <p role="alert">{error.message}</p>}
      <div role="status">
        {data && (
          <ul className={settings.checkList} aria-label="Steps of the test">
            {data.steps.map(({ step, ok, found }) => (
              <li key={step} className={settings.check}>
                <span
                  className={ok ? settings.good : settings.bad}
                  role="img"
                  aria-label={ok ? 'Good' : 'Bad'}
                >
                  {ok ? '✓' : '✕'}
                </span>
                <span>{ok ? (STEPS[step] ?? step) : found}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
