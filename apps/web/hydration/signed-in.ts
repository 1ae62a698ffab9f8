import type { ClientDirective } from 'astro';

/**
 * `client:signed-in` loads an island at once for somebody who is signed in, as
 * the script in the head has found (src/head/first-paint.ts), and never for
 * anyone else.
 */
const signedIn: ClientDirective = async (load) => {
  if (!document.documentElement.classList.contains('signed-in')) return;
  const hydrate = await load();
  await hydrate();
};

export default signedIn;
