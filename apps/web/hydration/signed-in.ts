import type { ClientDirective } from 'astro';

/** `client:signed-in` hydrates an island at once for signed-in visitors (src/head/head-script.ts), and never for others. */
const signedIn: ClientDirective = async (load) => {
  if (!document.documentElement.classList.contains('signed-in')) return;
  const hydrate = await load();
  await hydrate();
};

export default signedIn;
