import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';

const SHOWN_MS = 2_000;

const WORDS = { ready: 'Share', copied: 'Link copied', failed: 'Copy the address above' } as const;

/** Copies the address, which says everything that is shown. */
export function ShareButton() {
  const [state, setState] = useState<keyof typeof WORDS>('ready');
  const share = async () => {
    setState((await copyText(location.href)) ? 'copied' : 'failed');
    setTimeout(() => setState('ready'), SHOWN_MS);
  };
  return (
    <Button onClick={() => void share()} title="Copies a link to this view">
      <span aria-live="polite">{WORDS[state]}</span>
    </Button>
  );
}
