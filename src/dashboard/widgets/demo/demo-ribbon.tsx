import { Link, useLocation } from 'wouter';
import { DEMO_DOMAIN } from '#contract/sites/demo.ts';
import { useSite } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import styles from './demo.module.css';
import { useChangeOfDemo, useDemo } from './demo-offer.tsx';

/** On the demo shop's pages: says that nothing is real, and how to remove it. */
export function DemoRibbon() {
  const { domain, role, shared } = useSite();
  const { mutate, isPending, error } = useChangeOfDemo();
  const [, navigate] = useLocation();
  const isHere = domain === DEMO_DOMAIN && shared === undefined;
  const { data: demo } = useDemo(isHere);
  if (!isHere) return null;
  return (
    <aside className={styles.ribbon} aria-label="Demo">
      <span>This is a demo: a made-up tea shop.</span>
      {demo?.message !== undefined && <span role="alert">{demo.message}</span>}
      {role === 'owner' && (
        <>
          <Link to="/?add=1" className={styles.link}>
            Add your site
          </Link>
          {demo?.state === 'failed' && (
            <Button
              size="small"
              disabled={isPending}
              onClick={() => mutate('POST', { onSuccess: () => navigate('/?add=1') })}
            >
              Fill it again
            </Button>
          )}
          <Button
            size="small"
            disabled={isPending}
            onClick={() => mutate('DELETE', { onSuccess: () => navigate('/') })}
          >
            Remove the demo
          </Button>
        </>
      )}
      {error && <span role="alert">{error.message}</span>}
    </aside>
  );
}
