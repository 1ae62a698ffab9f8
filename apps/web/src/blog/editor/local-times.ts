import { localTimeText } from '../../components/dates.ts';

/** Times that Moment.astro has rendered in UTC, in the browser's time zone. */
export const showLocalTimes = (within: ParentNode): void => {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-moment]')) {
    time.textContent = localTimeText(time.dateTime);
  }
};
