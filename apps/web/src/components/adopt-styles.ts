/** The content security policy allows styles through the CSSOM. */
export const adoptStyles = (styles: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
};
