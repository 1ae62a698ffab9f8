/** Disables the buttons of an element during a request, and restores the focus that they lose. */
export const whileBusy = async <Result>(
  element: HTMLElement,
  work: () => Promise<Result>,
): Promise<Result> => {
  const focused = document.activeElement;
  const buttons = element.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  element.ariaBusy = 'true';
  try {
    return await work();
  } finally {
    element.ariaBusy = null;
    for (const button of buttons) button.disabled = false;
    const isLost = document.activeElement === document.body;
    if (isLost && focused instanceof HTMLElement && element.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }
};
