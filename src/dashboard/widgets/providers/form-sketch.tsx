import { findWay } from './find-way.ts';
import styles from './form-sketch.module.css';

type FormSketchProps = {
  readonly title: string;
  /** Says the way to the form: `open Settings → Webhooks`. */
  readonly text: string;
  readonly fields: readonly { readonly label: string; readonly value: string }[];
  readonly types: readonly string[];
};

/** How many events a sketch draws. */
const TYPES_MAX = 4;

/** A drawing of a provider's form, made of what its steps say: where it is, and what belongs where. */
export function FormSketch({ title, text, fields, types }: FormSketchProps) {
  const way = findWay(text);
  const more = types.length - TYPES_MAX;
  return (
    <figure className={styles.sketch} aria-label={`A sketch of the form of ${title}`}>
      <div className={styles.bar} aria-hidden="true">
        <i />
        <i />
        <i />
        <span>{title}</span>
      </div>
      <div className={styles.body}>
        {way.length > 0 && <p className={styles.way}>{way.join(' › ')}</p>}
        {fields.map(({ label, value }) => (
          <div key={label} className={styles.field}>
            <span className={styles.label}>{label}</span>
            <span className={styles.box}>
              <span>{value}</span>
            </span>
          </div>
        ))}
        {types.slice(0, TYPES_MAX).map((type) => (
          <p key={type} className={styles.tick}>
            <span aria-hidden="true">✓</span> {type}
          </p>
        ))}
        {more > 0 && <p className={styles.tick}>and {more} more, listed below</p>}
      </div>
      <figcaption>A sketch: the form looks different, its marked fields are the same.</figcaption>
    </figure>
  );
}
