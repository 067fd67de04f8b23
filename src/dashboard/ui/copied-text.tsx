import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import styles from './layout.module.css';
import { Stack } from './layout.tsx';

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
      {/* Nothing is hidden: people check what they copy. */}
      <section style={{ flex: 1, minWidth: 0, padding: '4px 0' }} aria-label={name}>
        <pre>{text}</pre>
      </section>
      <Button size="small" onClick={() => void copy()} aria-live="polite">
        {state}
      </Button>
    </div>
  );
}

/** Copies text to the clipboard; false when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // Missing on pages served without TLS.
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}

type ShownOnceProps = {
  readonly text: string;
  readonly name: string;
  readonly children?: ReactNode;
};

/** A secret that is not shown again, and what to do with it. */
export function ShownOnce({ children, ...copied }: ShownOnceProps) {
  return (
    <Stack gap={8} role="status">
      <p>{children ?? 'Copy it now: it is not shown again.'}</p>
      <CopiedText {...copied} />
    </Stack>
  );
}
