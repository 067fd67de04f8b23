import { createContext, type FormEvent, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { faultsOf } from './faults.ts';
import styles from './form.module.css';

/** Whether the form around a field is being sent. */
export const SendingContext = createContext(false);

type FormProps = {
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  /** Handles the values; errors it throws are shown. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>;
  readonly children: (fault: (name: string) => string | undefined) => ReactNode;
  readonly beside?: ReactNode;
  /** Whether success empties the fields, for the next entry. */
  readonly clears?: boolean;
};

/** Fields with one button. Field errors appear at their fields, other errors above the button. */
export function Form(props: FormProps) {
  const { action, look = 'primary', onSubmit, children, beside, clears = false } = props;
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error>();
  const details = faultsOf(error);
  const shown = new Set<string>();
  const content = children((name) => {
    shown.add(`/${name}`);
    return details.find(({ path }) => path === `/${name}`)?.message;
  });
  const isShown = details.length > 0 && details.every(({ path }) => shown.has(path));
  const submit = async (sent: FormEvent<HTMLFormElement>) => {
    sent.preventDefault();
    const form = sent.currentTarget;
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>;
    setSending(true);
    setError(undefined);
    await onSubmit(values).then(() => clears && form.reset(), setError);
    setSending(false);
  };
  return (
    <form className={styles.form} onSubmit={(sent) => void submit(sent)}>
      <SendingContext value={isSending}>{content}</SendingContext>
      {error && !isShown && (
        <p className={styles.error} role="alert">
          {error.message}
        </p>
      )}
      <div className={styles.foot}>
        <Button type="submit" look={look} disabled={isSending}>
          {action}
        </Button>
        {beside}
      </div>
    </form>
  );
}
