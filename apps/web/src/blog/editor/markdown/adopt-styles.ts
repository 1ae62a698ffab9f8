import { StyleModule } from 'style-mod';

/**
 * Has CodeMirror adopt its stylesheets, which the content security policy allows. In a document it
 * would insert a style element, which the policy blocks; in a shadow root it adopts them, and so it
 * does in every root that has the set of a shadow root.
 */
export const adoptEditorStyles = (): void => {
  const root = document.createElement('div').attachShadow({ mode: 'closed' });
  StyleModule.mount(root, []);
  for (const key of Object.getOwnPropertySymbols(root)) {
    Object.assign(document, { [key]: root[key as unknown as keyof typeof root] });
  }
};
