import { useLayoutEffect, useState } from 'react';
import { localTimeText } from '../../components/dates.ts';
import { momentOf } from './moment.ts';

/** Like Moment.astro, with its script. @param props.time ISO 8601 in UTC */
export const Moment = ({ time }: { time: string }) => {
  const [text, setText] = useState(() => momentOf(time));
  useLayoutEffect(() => setText(localTimeText(time)), [time]);
  return (
    <time className="whitespace-nowrap" dateTime={time}>
      {text}
    </time>
  );
};
