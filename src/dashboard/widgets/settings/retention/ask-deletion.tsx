import { useState } from 'react';
import { dayForm, toWallClock } from '../../../format/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import styles from './ask-deletion.module.css';

type Question = {
  readonly day: string;
  readonly onAnswer: (isSure: boolean) => void;
};

/** A dialog that asks before events are deleted, and a function that opens it and waits for the answer. */
export function useDeletionQuestion() {
  const [question, setQuestion] = useState<Question>();
  const ask = (day: string) =>
    new Promise<boolean>((resolve) => {
      const onAnswer = (isSure: boolean) => {
        setQuestion(undefined);
        resolve(isSure);
      };
      setQuestion({ day, onAnswer });
    });
  return { ask, dialog: question && <DeletionDialog {...question} /> };
}

function DeletionDialog({ day, onAnswer }: Question) {
  const title = `Delete events before ${dayForm('UTC', false).format(toWallClock(day))}?`;
  return (
    <Dialog title={title} isOpen onClose={() => onAnswer(false)}>
      <p>
        Events and visits before that day will be deleted for good, within seconds. A longer time
        does not bring them back. Payments stay.
      </p>
      <div className={styles.answers}>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button look="danger" onClick={() => onAnswer(true)}>
          Delete and save
        </Button>
      </div>
    </Dialog>
  );
}
