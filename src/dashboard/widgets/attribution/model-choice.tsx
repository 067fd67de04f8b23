import { MODELS, modelOf } from '../../format/models.ts';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';

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
