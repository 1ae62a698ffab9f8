import { useEffect, useState } from 'react';

/** The number left is shown from this fraction of the limit. */
const nearlyFull = 0.9;

/** In milliseconds. Debounced, because screen readers announce each change. */
const typingPause = 600;

/**
 * Null until the field is nearly full; negative if the text is too long.
 * @param id id of the control
 * @param max undefined for a field without a limit
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
    // The event fires before the fields are cleared, so the update must wait.
    form?.addEventListener('reset', scheduleUpdate);
    return () => {
      clearTimeout(timer);
      control.removeEventListener('input', scheduleUpdate);
      form?.removeEventListener('reset', scheduleUpdate);
    };
  }, [id, max]);

  return remaining;
};
