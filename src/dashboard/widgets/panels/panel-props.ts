import type { ChangeView, View } from '../../address/address.ts';
import type { PanelChoice } from './choice.ts';

/** What the parts of a panel need to know and do. */
export type PanelProps = {
  readonly view: View;
  readonly onChange: ChangeView;
  readonly choice: PanelChoice;
  readonly onChoose: (choice: PanelChoice) => void;
};
