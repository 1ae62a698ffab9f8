/** Adds styles that came with a script: through the object model, which the content security policy leaves to scripts. */
export const adoptStyles = (styles: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
};
