export const elementOf = <Found extends HTMLElement = HTMLElement>(
  within: ParentNode,
  selector: string,
): Found => {
  const found = within.querySelector<Found>(selector);
  if (!found) throw new Error(`No element matches ${selector}`);
  return found;
};
