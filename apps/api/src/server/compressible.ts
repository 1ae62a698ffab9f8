/** Images and fonts are already compressed. */
export const isCompressible = (path: string): boolean =>
  /\.(?:html|css|js|mjs|json|xml|txt|md|svg|webmanifest|ico)$/.test(path);
