import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { Pointer } from 'typebox/value';
import type { Fault } from './fault.ts';
import { PATTERN_RULES } from './text.ts';

/** Of a body with more faults than this, only the first ones are reported. */
const FAULTS_MAX = 64;
Settings.Set({ maxErrors: FAULTS_MAX });

/** A schema made ready: decides at once, and names every fault of what it refuses. */
export type Checker<Value> = {
  isValid(value: unknown): value is Value;
  findFaults(value: unknown): Fault[];
};

/** A checker of values for a schema of the contract. */
export function createChecker<Schema extends TSchema>(schema: Schema): Checker<Static<Schema>> {
  const validator = Compile(schema);
  return {
    isValid: (value): value is Static<Schema> => validator.Check(value),
    findFaults: (value) => validator.Errors(value).flatMap((error) => toFaults(error, schema)),
  };
}

function toFaults(error: TLocalizedValidationError, schema: TSchema): Fault[] {
  const { instancePath: path, schemaPath } = error;
  if (schemaPath.includes('/anyOf/')) return []; // The choice itself has a fault of its own.
  const at = (name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        path: at(name),
        message: 'is required',
      }));
    case 'additionalProperties': {
      const message = `is not known here; known are ${knownNames(schema, schemaPath).join(', ')}`;
      return error.params.additionalProperties.map((name) => ({ path: at(name), message }));
    }
    case 'boolean': // Said by additionalProperties.
    case 'propertyNames': // Said by the pattern of the name.
      return [];
    default:
      return [{ path, message: toMessage(error, schema) }];
  }
}

/** What limits count, by the end of their keyword: `minLength`, `maxItems` … */
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

/** The properties that the schema at a path (`#/properties/pagination`) has. */
function knownNames(schema: TSchema, schemaPath: string): string[] {
  return Object.keys(Pointer.Get(schema, `${schemaPath.slice(1)}/properties`) ?? {});
}

/** The description of a choice lists what can be chosen. */
function toChoice(description: unknown): string {
  if (typeof description !== 'string') return 'has none of the allowed forms';
  const text = description.replace(/\.$/, '');
  return `must be ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
