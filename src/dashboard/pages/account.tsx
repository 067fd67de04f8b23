import { Link } from 'wouter';
import { Inline } from '../ui/layout.tsx';
import { Email, NameForm, Password } from '../widgets/account/email.tsx';
import { ServerAudit } from '../widgets/account/server-audit.tsx';
import { Sessions } from '../widgets/account/sessions.tsx';
import { TwoSteps } from '../widgets/account/two-steps.tsx';
import { Logo } from '../widgets/head/mark.tsx';
import { usePageTitle } from '../widgets/head/page-title.ts';
import { PersonMenu } from '../widgets/head/person-menu.tsx';
import { Shortcuts } from '../widgets/palette/keys.tsx';
import settings from '../widgets/settings/settings.module.css';
import frame from './site-frame.module.css';
import styles from './sites.module.css';

/** The user's account: name, address, password, two-step sign-in and sessions; for the server's owner, its audit log. */
export function AccountPage() {
  usePageTitle('Your account');
  return (
    <div className={frame.frame}>
      <Shortcuts />
      <Inline as="header" isSpread className={styles.head}>
        <Link to="/" className={styles.mark}>
          <Logo /> Tributary
        </Link>
        <PersonMenu />
      </Inline>
      <main>
        <Inline className={styles.title}>
          <h1>Your account</h1>
        </Inline>
        <div className={settings.content}>
          <NameForm />
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
