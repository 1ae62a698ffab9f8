import type { ClientDirective } from 'astro';

/** `client:signed-in` hydrates an island on page load, but only for signed-in visitors. */
const signedIn: ClientDirective = async (load) => {
  if (!document.documentElement.classList.contains('signed-in')) return;
  const hydrate = await load();
  await hydrate();
};

export default signedIn;
