/** Images and fonts are compressed already. */
export const isCompressible = (path: string): boolean =>
  /\.(?:html|css|js|mjs|json|xml|txt|md|svg|webmanifest|ico)$/.test(path);
