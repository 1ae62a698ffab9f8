/**
 * The divider between two pictures follows its slider: the styles read its place as
 * `--old`, from 0 to 1, and a screen reader hears how much of each picture is shown.
 */
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
  // The browser may have kept the place of an earlier visit.
  follow();
};
