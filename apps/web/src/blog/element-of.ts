export const elementOf = <Found extends HTMLElement = HTMLElement>(
  within: ParentNode,
  selector: string,
): Found => {
  const found = within.querySelector<Found>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};
