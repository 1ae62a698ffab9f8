/** one hour, 24 hours */
export const inHours = (hours: number): string => (hours === 1 ? 'one hour' : `${hours} hours`);
