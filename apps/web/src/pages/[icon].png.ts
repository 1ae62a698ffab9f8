import type { APIRoute, GetStaticPaths } from 'astro';
import type { IconShape } from '../brand/icon.ts';
import { iconPng } from '../brand/icon-png.ts';
import { icons } from '../brand/icons.ts';

export const getStaticPaths = (() =>
  Object.entries(icons).map(([icon, props]) => ({
    params: { icon },
    props,
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ shape: IconShape; size: number }> = async ({ props }) =>
  new Response(new Uint8Array(await iconPng(props.shape, props.size)), {
    headers: { 'content-type': 'image/png' },
  });
