import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copied-text.module.css';
import { copyText } from './copy-text.ts';

const SHOWN_MS = 1_500;

/** A piece of code or a secret, with a button that copies it. */
export function CopiedText({ text, name }: { readonly text: string; readonly name: string }) {
  const [state, setState] = useState<'Copy' | 'Copied' | 'Select and copy'>('Copy');
  const copy = async () => {
    setState((await copyText(text)) ? 'Copied' : 'Select and copy');
    setTimeout(() => setState('Copy'), SHOWN_MS);
  };
  return (
    <div className={styles.box}>
      <section className={styles.text} aria-label={name}>
        <pre>{text}</pre>
      </section>
      <Button size="small" onClick={() => void copy()} aria-live="polite">
        {state}
      </Button>
    </div>
  );
}
