import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';
import { Soft, Stack } from '../ui/layout.tsx';
import { Logo } from '../widgets/head/mark.tsx';
import { usePageTitle } from '../widgets/head/page-title.ts';
import styles from './door.module.css';

/** A narrow page with one form: what people see before signing in. */
export function Door(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, lead, children } = props;
  usePageTitle(title);
  return (
    <main className={styles.door}>
      <p className={styles.name}>
        <Logo /> Tributary
      </p>
      <Card isPadded>
        <Stack>
          <h1>{title}</h1>
          {lead && <Soft>{lead}</Soft>}
          {children}
        </Stack>
      </Card>
    </main>
  );
}
