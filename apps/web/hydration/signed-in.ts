import type { ClientDirective } from 'astro';

/** `client:signed-in` hydrates an island at once, for signed-in visitors only (src/head/head-script.ts). */
const signedIn: ClientDirective = async (load) => {
  if (!document.documentElement.classList.contains('signed-in')) return;
  const hydrate = await load();
  await hydrate();
};

export default signedIn;
