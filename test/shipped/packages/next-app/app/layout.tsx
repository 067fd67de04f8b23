import { TributaryScript } from '@tributary/next';
import type { ReactNode } from 'react';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <TributaryScript site="kettles.example" query />
      </body>
    </html>
  );
}
