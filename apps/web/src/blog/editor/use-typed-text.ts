import { type RefObject, useLayoutEffect, useState } from 'react';

/** React resets a textarea on hydration; this restores what was typed before. */
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
