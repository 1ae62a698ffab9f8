/** Adds styles through the CSSOM, which the content security policy allows. */
export const adoptStyles = (styles: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
};
