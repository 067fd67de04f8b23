import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
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

function toMessage(error: TLocalizedValidationError, schema: TSchema): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${[error.params.type].flat().map(withArticle).join(' or ')}`;
    case 'pattern': {
      const pattern = String(error.params.pattern);
      return PATTERN_RULES.get(pattern) ?? `must match ${pattern}`;
    }
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minLength':
      return `must have at least ${count(error.params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(error.params.limit, 'character')}`;
    case 'minItems':
      return `must have at least ${count(error.params.limit, 'element')}`;
    case 'maxItems':
      return `must have at most ${count(error.params.limit, 'element')}`;
    case 'maxProperties':
      return `must have at most ${count(error.params.limit, 'property', 'properties')}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'anyOf':
      return toChoice(memberOf(findPart(schema, error.schemaPath), 'description'));
    default:
      return error.message;
  }
}

function withArticle(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function count(limit: number, one: string, many = `${one}s`): string {
  return `${limit} ${limit === 1 ? one : many}`;
}

/** The properties that the schema at a path (`#/properties/pagination`) has. */
function knownNames(schema: TSchema, schemaPath: string): string[] {
  const properties = memberOf(findPart(schema, schemaPath), 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function findPart(schema: TSchema, schemaPath: string): unknown {
  const steps = schemaPath.split('/').slice(1);
  return steps.reduce<unknown>((part, step) => memberOf(part, step), schema);
}

/** The description of a choice lists what can be chosen. */
function toChoice(description: unknown): string {
  if (typeof description !== 'string') return 'has none of the allowed forms';
  const text = description.replace(/\.$/, '');
  return `must be ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
