import type { ChangeView, View } from '../../address/address.ts';
import { MODELS, modelOf } from '../../format/models.ts';
import { Menu, MenuChoices, MenuHeading, MenuLine } from '../../ui/menu/menu.tsx';
import { nameAttribution, WINDOWS } from './choices.ts';

type AttributionMenuProps = { readonly view: View; readonly onChange: ChangeView };

/** Chooses the attribution model and the lookback window. */
export function AttributionMenu({ view, onChange }: AttributionMenuProps) {
  const label = nameAttribution(view);
  return (
    <Menu name={`Attribution: ${label}`} label={label}>
      <MenuHeading>Credit goes to</MenuHeading>
      <MenuChoices<string>
        value={view.model}
        choices={MODELS}
        onChoose={(model) => onChange({ model })}
      />
      <MenuLine />
      <MenuHeading>Visits count for</MenuHeading>
      <MenuChoices
        value={view.window}
        choices={WINDOWS}
        onChoose={(window) => onChange({ window })}
      />
    </Menu>
  );
}

type ModelChoiceProps = {
  readonly name: string;
  readonly value: string;
  readonly onChoose: (model: string) => void;
};

/** A button naming a model; opens the list of models. */
export function ModelChoice({ name, value, onChoose }: ModelChoiceProps) {
  const { label } = modelOf(value);
  return (
    <Menu name={`${name}: ${label}`} label={label} align="end">
      <MenuChoices<string> value={value} choices={MODELS} onChoose={onChoose} />
    </Menu>
  );
}
