import type { ChangeView, View } from '../../address/address.ts';
import type { Choice } from './choice.ts';

/** What the parts of a panel need to know and do. */
export type PanelProps = {
  readonly view: View;
  readonly onChange: ChangeView;
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
};
