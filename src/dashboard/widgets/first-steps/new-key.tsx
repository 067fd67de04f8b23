import type { MadeKeyAnswer } from '#contract/sites/keys.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import styles from './first-steps.module.css';

const BACKEND_SCOPES = ['goals:write', 'payments:write', 'events:write'] as const;

/** A button that creates a backend's key and shows it once. */
export function NewKey() {
  const made = useChangeOfSite<MadeKeyAnswer>();
  if (made.data !== undefined) {
    return (
      <div className={styles.snippets}>
        <p>
          Copy it now: it is not shown again. Put it into <code>TRIBUTARY_KEY</code> of your
          backend.
        </p>
        <CopiedText text={made.data.key} name="The new key" />
      </div>
    );
  }
  return (
    <div>
      <Button
        disabled={made.isPending}
        onClick={() =>
          made.mutate({
            ...{ method: 'POST', path: '/keys' },
            body: { name: 'Backend', scopes: BACKEND_SCOPES },
          })
        }
      >
        Create a key for the backend
      </Button>
      {made.error && <p role="alert">{made.error.message}</p>}
    </div>
  );
}
