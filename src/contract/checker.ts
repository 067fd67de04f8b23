import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile, Pointer } from 'typebox/schema'; // A fifth less to load than `typebox/compile`.
import { Settings } from 'typebox/system';
import type { Fault } from './fault.ts';
import { PATTERN_RULES } from './patterns.ts';

/** The most faults that are reported for one body. */
const FAULTS_MAX = 64;
Settings.Set({ maxErrors: FAULTS_MAX });

/** A compiled schema: validates values and lists the faults of invalid ones. */
export type Checker<Value> = {
  isValid(value: unknown): value is Value;
  findFaults(value: unknown): Fault[];
};

/** Compiles a schema of the contract. */
export function createChecker<Schema extends TSchema>(schema: Schema): Checker<Static<Schema>> {
  const validator = Compile(schema);
  return {
    isValid: (value): value is Static<Schema> => validator.Check(value),
    findFaults: (value) => validator.Errors(value)[1].flatMap((error) => toFaults(error, schema)),
  };
}

function toFaults(error: TLocalizedValidationError, schema: TSchema): Fault[] {
  const { instancePath: path, schemaPath } = error;
  if (schemaPath.includes('/anyOf/')) return []; // The `anyOf` itself reports a fault.
  const at = (name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        path: at(name),
        message: 'is required',
      }));
    case 'additionalProperties': {
      const message = `is unknown; known are ${knownNames(schema, schemaPath).join(', ')}`;
      return error.params.additionalProperties.map((name) => ({ path: at(name), message }));
    }
    case 'boolean': // Reported by additionalProperties.
    case 'propertyNames': // Reported by the pattern of the name.
      return [];
    default:
      return [{ path, message: toMessage(error, schema) }];
  }
}

/** The unit of a limit, by the end of its keyword: `minLength`, `maxItems` … */
const COUNTED = {
  Length: ['character', 'characters'],
  Items: ['element', 'elements'],
  Properties: ['property', 'properties'],
} as const;

function toMessage(error: TLocalizedValidationError, schema: TSchema): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${[error.params.type].flat().map(withArticle).join(' or ')}`;
    case 'pattern':
      return toRule(String(error.params.pattern));
    case 'minimum':
    case 'maximum':
      return `must be ${toBound(error.keyword)} ${error.params.limit}`;
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'maxProperties': {
      const { limit } = error.params;
      const [one, many] = COUNTED[error.keyword.slice(3) as keyof typeof COUNTED];
      return `must have ${toBound(error.keyword)} ${limit} ${limit === 1 ? one : many}`;
    }
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'anyOf':
      return toChoice(Pointer.Get(schema, `${error.schemaPath.slice(1)}/description`));
    default:
      return error.message;
  }
}

function toRule(pattern: string): string {
  return PATTERN_RULES.get(pattern) ?? `must match ${pattern}`;
}

function toBound(keyword: string): string {
  return keyword.startsWith('min') ? 'at least' : 'at most';
}

function withArticle(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** The property names of the schema at a path (`#/properties/pagination`). */
function knownNames(schema: TSchema, schemaPath: string): string[] {
  return Object.keys(Pointer.Get(schema, `${schemaPath.slice(1)}/properties`) ?? {});
}

/** The message for an `anyOf`, from its description, which lists the options. */
function toChoice(description: unknown): string {
  if (typeof description !== 'string') return 'matches none of the allowed forms';
  const text = description.replace(/\.$/, '');
  return `must be ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
