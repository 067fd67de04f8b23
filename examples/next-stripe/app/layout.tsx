import Script from 'next/script';
import { connection } from 'next/server';
import type { ReactNode } from 'react';

export const metadata = { title: 'Kettle & Co.' };

/** Every page has Tributary's script. A site on the internet needs no `data-allow-localhost`. */
export default async function Layout({ children }: { children: ReactNode }) {
  await connection(); // The variables are those of the start, not of the build.
  const { SITE = 'localhost', TRIBUTARY_SCRIPT = 'http://127.0.0.1:8787/js/script.js' } =
    process.env;
  return (
    <html lang="en">
      <body>
        {children}
        <Script
          data-site={SITE}
          src={TRIBUTARY_SCRIPT}
          data-allow-localhost
          strategy="afterInteractive"
        />
      </body>
    </html>
  );
}
