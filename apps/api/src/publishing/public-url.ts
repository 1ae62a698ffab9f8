import { buildOrigin } from '@app/contract/pages';

/** Whether a file of the build has the placeholder of the public URL. */
export const namesPublicUrl = (name: string, bytes: Buffer): boolean =>
  /\.(?:html|xml|txt|json|webmanifest)$/.test(name) && bytes.includes(buildOrigin);

export const withPublicUrl = (name: string, bytes: Buffer, publicUrl: string): Buffer =>
  namesPublicUrl(name, bytes)
    ? Buffer.from(bytes.toString().replaceAll(buildOrigin, publicUrl))
    : bytes;
