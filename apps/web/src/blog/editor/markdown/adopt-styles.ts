import { StyleModule } from 'style-mod';

/**
 * Makes CodeMirror adopt its stylesheets, which the content security policy allows. In a document,
 * it would insert a style element, which the policy blocks. In a shadow root, it adopts
 * stylesheets, so this copies the private state of a shadow root (its style set) to the document.
 */
export const adoptEditorStyles = (): void => {
  const root = document.createElement('div').attachShadow({ mode: 'closed' });
  StyleModule.mount(root, []);
  for (const key of Object.getOwnPropertySymbols(root)) {
    Object.assign(document, { [key]: root[key as unknown as keyof typeof root] });
  }
};
