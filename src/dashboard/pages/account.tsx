import { Stack } from '../ui/layout.tsx';
import { Email, NameForm, Password } from '../widgets/account/email.tsx';
import { OwnVisits } from '../widgets/account/own-visits.tsx';
import { Sessions } from '../widgets/account/sessions.tsx';
import { TwoSteps } from '../widgets/account/two-steps.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { ServerAudit } from '../widgets/settings/audit-entries.tsx';
import { PlainFrame } from './site-frame.tsx';

/** The user's account: name, address, password, two-step sign-in, sessions and own visits; for the server's owner, its audit log. */
export function AccountPage() {
  usePageTitle('Your account');
  return (
    <PlainFrame title={<h1>Your account</h1>}>
      <Stack style={{ maxWidth: 760 }}>
        <NameForm />
        <Email />
        <Password />
        <TwoSteps />
        <Sessions />
        <OwnVisits />
        <ServerAudit />
      </Stack>
    </PlainFrame>
  );
}
