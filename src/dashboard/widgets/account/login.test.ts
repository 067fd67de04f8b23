import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE_ERROR_CODES } from 'better-auth';
import { TWO_FACTOR_ERROR_CODES } from 'better-auth/plugins/two-factor';
import { ApiError } from '../../api/api.ts';
import { REFUSALS, toOurWords } from './login.ts';

const refused = (message: string) => toOurWords(new ApiError(400, { message }));

describe('a refused login', () => {
  it('is known by what better-auth says today', () => {
    const codes = { ...BASE_ERROR_CODES, ...TWO_FACTOR_ERROR_CODES };
    const texts = Object.values(codes).map(({ message }) => message);
    assert.deepEqual(
      Object.keys(REFUSALS).filter((each) => !texts.includes(each)),
      [],
    );
  });

  it('has its reason at the field', () => {
    const { details } = refused('Invalid backup code');
    assert.deepEqual(details, [{ path: '/code', message: 'is wrong or was used before' }]);
  });

  it('has its reason above the button if no field is at fault', () => {
    const { message, details } = refused('Invalid two factor cookie');
    assert.equal(message, 'This took too long. Reload the page and sign in again.');
    assert.deepEqual(details, []);
  });

  it('keeps what the server itself says', () => {
    const message = 'Too many attempts. Try again in 20 seconds.';
    assert.equal(refused(message).message, message);
  });
});
