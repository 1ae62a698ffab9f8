import { useLayoutEffect, useState } from 'react';
import { localTimeText } from '../../components/dates.ts';
import { utcTimeText } from './utc-time-text.ts';

/** Like LocalTime.astro, with its script. @param props.time ISO 8601 in UTC */
export const LocalTime = ({ time }: { time: string }) => {
  const [text, setText] = useState(() => utcTimeText(time));
  useLayoutEffect(() => setText(localTimeText(time)), [time]);
  return (
    <time className="whitespace-nowrap" dateTime={time}>
      {text}
    </time>
  );
};
