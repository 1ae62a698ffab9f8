import { useEffect, useState } from 'react';

/** From how full a field on is it said how much room is left. */
const nearlyFull = 0.9;

/** Screen readers read each change out: it waits until typing pauses, in milliseconds. */
const typingPause = 600;

/**
 * How many characters still fit into a field that is nearly full, less than none when there are
 * too many; null before that.
 * @param id of the control
 * @param max in characters; undefined for a field that is not watched
 */
export const useRemainingCharacters = (id: string, max: number | undefined): number | null => {
  const [remaining, setRemaining] = useState<number | null>(null);

  useEffect(() => {
    const control = document.getElementById(id);
    if (max === undefined || !(control instanceof HTMLElement && 'value' in control)) return;
    const { form } = control as HTMLInputElement;
    const update = () => {
      const { length } = control.value as string;
      setRemaining(length >= max * nearlyFull ? max - length : null);
    };
    let timer: ReturnType<typeof setTimeout>;
    const scheduleUpdate = () => {
      clearTimeout(timer);
      timer = setTimeout(update, typingPause);
    };
    update();
    control.addEventListener('input', scheduleUpdate);
    // The event comes before the fields are empty.
    form?.addEventListener('reset', scheduleUpdate);
    return () => {
      clearTimeout(timer);
      control.removeEventListener('input', scheduleUpdate);
      form?.removeEventListener('reset', scheduleUpdate);
    };
  }, [id, max]);

  return remaining;
};
