import { type RefObject, useLayoutEffect, useState } from 'react';

/** Restores text that was typed before hydration, during which React resets a textarea. */
export const useTypedText = (textarea: RefObject<HTMLTextAreaElement | null>): void => {
  const [typed] = useState(() =>
    typeof document === 'undefined'
      ? undefined
      : document.querySelector<HTMLTextAreaElement>('#post-content')?.value,
  );

  useLayoutEffect(() => {
    if (textarea.current && typed !== undefined) textarea.current.value = typed;
  }, [textarea, typed]);
};
