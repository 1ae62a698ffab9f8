/** Field name of an uploaded image in a multipart body (RFC 7578). */
export const imageField = 'file';

/** Also part of the ids of notices on pages: avatar-animated, picture-animated. */
export type ImageRefusal = 'no-file' | 'too-many-pixels' | 'animated' | 'unreadable';

/** For avatars and the pictures of posts. */
export const imageMessages = {
  noFile: 'No file selected',
  tooLarge: 'The image is larger than 5 MB. Please choose a smaller one.',
  tooManyPixels: 'The image has more than 25 million pixels. Please choose a smaller one.',
  animated: "Animated images aren't supported. Please choose a still image.",
  unreadable: "We couldn't read this image. Please choose a JPEG, PNG, WebP, AVIF or GIF file.",
  busy: "We're processing many images right now. Please try again in a moment.",
  unavailable: "Images can't be stored or shown right now. Please try again in a minute.",
} as const;

export const refusalMessages: Record<ImageRefusal, string> = {
  'no-file': imageMessages.noFile,
  'too-many-pixels': imageMessages.tooManyPixels,
  animated: imageMessages.animated,
  unreadable: imageMessages.unreadable,
};
