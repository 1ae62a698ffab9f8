export const followDivider = (): void => {
  const slider = document.querySelector<HTMLInputElement>('.before-after input');
  if (!slider) return;
  const follow = () => {
    const { before, after } = slider.dataset;
    const old = slider.valueAsNumber;
    slider.parentElement?.style.setProperty('--old', `${old / 100}`);
    slider.ariaValueText = `${old}% ${before}, ${100 - old}% ${after}`;
  };
  slider.addEventListener('input', follow);
  // The browser may have restored the slider.
  follow();
};
