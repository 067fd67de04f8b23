/** SQL condition for a number in a JSON list: PostgreSQL does not compare numbers with the list's texts. */
export const IN_NUMBERS =
  'IN (SELECT CAST(value AS BIGINT) FROM (SELECT value FROM json_each(?)) AS listed)';
