import type { AttributionModel } from '#domain/attribution/models.ts';

type ModelForm = {
  readonly value: AttributionModel;
  readonly label: string;
  /** Who gets the credit, in a sentence. */
  readonly meaning: string;
  /** What it is good for and what it hides. */
  readonly advice: string;
};

/** The attribution models, in menu order. */
export const MODELS: readonly ModelForm[] = [
  {
    value: 'first_touch',
    label: 'First touch',
    meaning: 'The buyer’s first visit gets all the credit.',
    advice: 'Shows what attracts new people, but not what brings them back to buy.',
  },
  {
    value: 'last_touch',
    label: 'Last touch',
    meaning: 'The last visit before the payment gets all the credit.',
    advice: 'Shows what closes the sale, but not what brought people in the first place.',
  },
  {
    value: 'first_non_direct',
    label: 'First non-direct',
    meaning: 'The first visit with a source gets all the credit.',
    advice: 'Like first touch, for sites where many first visits are direct.',
  },
  {
    value: 'last_non_direct',
    label: 'Last non-direct',
    meaning: 'The last visit with a source gets all the credit.',
    advice: 'Like last touch, for buyers who return by typing your address. Common in other tools.',
  },
  {
    value: 'linear',
    label: 'Linear',
    meaning: 'Every visit before the payment gets an equal share.',
    advice: 'Neutral, but values a brief look as much as a decisive visit.',
  },
  {
    value: 'position_based',
    label: 'Position-based',
    meaning: 'The first and the last visit get 40% each; the others share the rest.',
    advice: 'Credits both the start and the close.',
  },
  {
    value: 'time_decay',
    label: 'Time decay',
    meaning: 'The credit halves for every seven days before the last visit.',
    advice: 'Suits decisions that take days or weeks; early visits of longer ones get little.',
  },
  {
    value: 'data_driven',
    label: 'Data-driven',
    meaning:
      'Each channel is credited by what would be lost without it, learned from all paths of the period.',
    advice: 'Compares buyers with people who left. Needs many payments to be stable.',
  },
];

/** The model with this name, or the default for an unknown name. */
export function modelOf(name: string): ModelForm {
  return MODELS.find(({ value }) => value === name) ?? (MODELS[0] as ModelForm);
}
