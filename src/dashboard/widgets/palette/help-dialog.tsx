import { Dialog } from '../../ui/dialog.tsx';
import type { KeyGroup } from '../keys/key-table.ts';
import styles from './help-dialog.module.css';

type HelpDialogProps = { readonly groups: readonly KeyGroup[]; readonly onClose: () => void };

/** The shortcuts that work on the page. */
export function HelpDialog({ groups, onClose }: HelpDialogProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <div className={styles.groups}>
        {groups.map(({ name, lines }) => (
          <section key={name} className={styles.group}>
            <h3>{name}</h3>
            <dl>
              {lines.map(({ keys, label }) => (
                <div key={keys} className={styles.line}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
