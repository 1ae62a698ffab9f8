import type { APIRoute } from 'astro';
import { iconPng } from '../brand/icon-png.ts';

const size = 32;

/** For what asks for /favicon.ico whatever a page says: an ICO file around one PNG. */
export const GET: APIRoute = async () => {
  const png = await iconPng('tile', size);
  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2); // an icon
  directory.writeUInt16LE(1, 4); // one picture
  directory.writeUInt8(size, 6);
  directory.writeUInt8(size, 7);
  directory.writeUInt16LE(1, 10); // color planes
  directory.writeUInt16LE(32, 12); // bits a pixel
  directory.writeUInt32LE(png.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return new Response(Buffer.concat([directory, png]), {
    headers: { 'content-type': 'image/x-icon' },
  });
};
