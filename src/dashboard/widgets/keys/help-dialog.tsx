import { Dialog } from '../../ui/dialog.tsx';
import styles from './help-dialog.module.css';
import { KEY_GROUPS } from './key-table.ts';

/** All shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <div className={styles.groups}>
        {KEY_GROUPS.map(({ name, lines }) => (
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
