import { useEffect, useState } from 'react';

/** From how full a field on is it said how much room is left. */
const nearlyFull = 0.9;

/** Screen readers read each change out: it waits until typing pauses, in milliseconds. */
const typingPause = 600;

/**
 * How many characters still fit into a field that is nearly full, less than none when there are
 * too many; null before that.
 * @param id of the control
 * @param most in characters; undefined for a field that is not watched
 */
export const useRoomLeft = (id: string, most: number | undefined): number | null => {
  const [room, setRoom] = useState<number | null>(null);

  useEffect(() => {
    const control = document.getElementById(id);
    if (most === undefined || !(control instanceof HTMLElement && 'value' in control)) return;
    const { form } = control as HTMLInputElement;
    const look = () => {
      const { length } = control.value as string;
      setRoom(length >= most * nearlyFull ? most - length : null);
    };
    let timer: ReturnType<typeof setTimeout>;
    const lookLater = () => {
      clearTimeout(timer);
      timer = setTimeout(look, typingPause);
    };
    look();
    control.addEventListener('input', lookLater);
    // The event comes before the fields are empty.
    form?.addEventListener('reset', lookLater);
    return () => {
      clearTimeout(timer);
      control.removeEventListener('input', lookLater);
      form?.removeEventListener('reset', lookLater);
    };
  }, [id, most]);

  return room;
};
