/** 1 character, 5,000 characters */
export const count = (number: number, what: string): string =>
  `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;

/** 30 seconds, 2 minutes, 24 hours. Rounded up. */
export const inWords = (seconds: number): string => {
  if (seconds < 60) return count(seconds, 'second');
  return seconds < 7_200
    ? count(Math.ceil(seconds / 60), 'minute')
    : count(Math.ceil(seconds / 3_600), 'hour');
};
