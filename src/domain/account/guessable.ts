/** The allowed length of a password in characters. Long ones cost no more, because they are hashed first. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

const DISTINCT_MIN = 5;
/** Orders that people type from; attackers try their parts first. */
const ORDERS = [
  '012345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];
const COMMON_WORDS = new Set(
  'password passwort passwd qwerty letmein welcome admin tributary'.split(' '),
);

/**
 * Whether an attacker would try a password among the first: few different characters, a part of
 * the alphabet or of a row of keys, or a common word with digits or signs around it.
 */
export function isGuessable(password: string): boolean {
  const text = password.toLowerCase();
  const reversed = [...text].reverse().join('');
  return (
    new Set(text).size < DISTINCT_MIN ||
    ORDERS.some((order) => order.includes(text) || order.includes(reversed)) ||
    COMMON_WORDS.has(text.replace(/[^\p{L}]+/gu, ''))
  );
}
