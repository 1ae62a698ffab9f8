/** 1 character, 5,000 characters */
export const count = (number: number, what: string): string =>
  `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;

/** 30 seconds, 2 minutes: whole minutes, up, from one on. */
export const inWords = (seconds: number): string =>
  seconds < 60 ? count(seconds, 'second') : count(Math.ceil(seconds / 60), 'minute');
