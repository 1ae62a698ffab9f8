import type { Page } from 'playwright/test';

/** The contents of all copies that the editor keeps in the browser. */
export const textsOnDevice = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const request = indexedDB.open('unsaved-text');
    await new Promise((opened) => request.addEventListener('success', opened));
    const all = request.result.transaction('copies').objectStore('copies').getAll();
    await new Promise((read) => all.addEventListener('success', read));
    request.result.close();
    return (all.result as { fields: { content: string } }[]).map(({ fields }) => fields.content);
  });
