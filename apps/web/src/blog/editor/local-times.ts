import { localTimeText } from '../../components/dates.ts';

/** Converts times that LocalTime.astro rendered in UTC to the browser's time zone. */
export const showLocalTimes = (within: ParentNode): void => {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-local-time]')) {
    time.textContent = localTimeText(time.dateTime);
  }
};
