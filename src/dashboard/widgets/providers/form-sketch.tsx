import styles from './form-sketch.module.css';
import type { KnownProvider } from './use-providers.ts';

type FormSketchProps = {
  readonly title: string;
  readonly step: KnownProvider['steps'][number];
  /** The address of the webhook. */
  readonly address: string;
  readonly types?: readonly string[];
};

/** How many events a sketch draws. */
const TYPES_MAX = 2;

/** A drawing of where a step is done in the provider's own dashboard: what to click, and what belongs where. */
export function FormSketch({ title, step, address, types = [] }: FormSketchProps) {
  const { way, form } = step;
  const more = types.length - TYPES_MAX;
  if (way.length === 0) return null;
  return (
    <figure className={styles.sketch} aria-label={`A sketch of the dashboard of ${title}`}>
      <p className={styles.bar} aria-hidden="true">
        {title}
      </p>
      <div className={styles.body}>
        <ol className={styles.way} aria-label="What to click">
          {way.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </ol>
        {Object.entries(form).map(([label, value]) => (
          <div key={label} className={styles.field}>
            <strong>{label}</strong>
            <span className={styles.box}>
              <span>{value.replace('{address}', address)}</span>
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
      <figcaption>A sketch: {title} looks different, and may have moved a page.</figcaption>
    </figure>
  );
}
