/** Field name of an uploaded image in a multipart body (RFC 7578). */
export const imageField = 'file';

/** Also part of the ids of notices on pages: avatar-animated, picture-animated. */
export type ImageRefusal =
  | 'no-file'
  | 'too-many-pixels'
  | 'animated'
  | 'too-complex'
  | 'unreadable';

/** For avatars and the pictures of posts. */
export const imageMessages = {
  noFile: 'No file selected',
  tooLarge: 'The image is larger than 5 MB. Please choose a smaller one.',
  tooManyPixels: 'The image has more than 25 million pixels. Please choose a smaller one.',
  animated: "Animated images aren't supported. Please choose a still image.",
  tooComplex:
    'This image takes too long to process. Please save it again as a plain JPEG, or choose another one.',
  unreadable: "We couldn't read this image. Please choose a JPEG, PNG, WebP, AVIF or GIF file.",
  tooManyAtOnce: 'Your other images are still being processed. Please try again in a moment.',
  timeSpent: (minutes: number) =>
    `Your images have taken too much processing time in the last hour. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  busy: "We're processing many images right now. Please try again in a moment.",
  unavailable: "Images can't be stored or shown right now. Please try again in a minute.",
} as const;

export const refusalMessages: Record<ImageRefusal, string> = {
  'no-file': imageMessages.noFile,
  'too-many-pixels': imageMessages.tooManyPixels,
  animated: imageMessages.animated,
  'too-complex': imageMessages.tooComplex,
  unreadable: imageMessages.unreadable,
};
