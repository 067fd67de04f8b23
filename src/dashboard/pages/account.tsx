import { Link } from 'wouter';
import { Email } from '../widgets/account/email.tsx';
import { Name } from '../widgets/account/name.tsx';
import { Password } from '../widgets/account/password.tsx';
import { ServerAudit } from '../widgets/account/server-audit.tsx';
import { Sessions } from '../widgets/account/sessions.tsx';
import { TwoSteps } from '../widgets/account/two-steps.tsx';
import { Mark } from '../widgets/head/mark.tsx';
import { usePageTitle } from '../widgets/head/page-title.ts';
import { PersonMenu } from '../widgets/head/person-menu.tsx';
import { Keys } from '../widgets/palette/keys.tsx';
import settings from '../widgets/settings/settings.module.css';
import frame from './site-frame.module.css';
import styles from './sites.module.css';

/** The user's account: name, address, password, two-step sign-in and sessions; for the server's owner, its audit log. */
export function AccountPage() {
  usePageTitle('Your account');
  return (
    <div className={frame.frame}>
      <Keys />
      <header className={styles.head}>
        <Link to="/" className={styles.mark}>
          <Mark /> Tributary
        </Link>
        <PersonMenu />
      </header>
      <main>
        <div className={styles.title}>
          <h1>Your account</h1>
        </div>
        <div className={settings.content}>
          <Name />
          <Email />
          <Password />
          <TwoSteps />
          <Sessions />
          <ServerAudit />
        </div>
      </main>
    </div>
  );
}
