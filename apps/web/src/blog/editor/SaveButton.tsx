import { editor } from '@app/site/blog/editor';
import { labels } from '@app/site/forms/labels';
import type { PointerEvent } from 'react';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';

/** In CSS pixels. A pointer can move this much during a press. */
const tolerance = 8;

/**
 * Browsers fire no click event if the layout moves the button away between press and release, for
 * example because a message appears above it. This fires the click anyway.
 */
const clickDespiteShift = ({ currentTarget: button, pointerId, ...down }: PointerEvent) => {
  const released = new AbortController();
  const onRelease = (up: globalThis.PointerEvent) => {
    if (up.pointerId !== pointerId) return;
    released.abort();
    const distance = Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY);
    const isMissed = !button.contains(document.elementFromPoint(up.clientX, up.clientY));
    if (up.type === 'pointerup' && isMissed && distance < tolerance) {
      (button as HTMLButtonElement).click();
    }
  };
  for (const type of ['pointerup', 'pointercancel'] as const) {
    addEventListener(type, onRelease, { signal: released.signal });
  }
};

export const SaveButton = ({ disabled }: { disabled: boolean }) => (
  <SubmitButton
    className="button"
    busyLabel={labels.saving}
    disabled={disabled}
    onPointerDown={clickDespiteShift}
  >
    {editor.submit}
  </SubmitButton>
);
