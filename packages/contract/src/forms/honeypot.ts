/** The name of a field that is hidden from people and filled in by bots. */
export const honeypotField = 'homepage';
