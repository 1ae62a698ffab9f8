interface ThemeColors {
  day: string;
  night: string;
}

/** Each `--name: light-dark(day, night)` of a stylesheet, by its name. */
export const colorsOf = (css: string): Record<string, ThemeColors> =>
  Object.fromEntries(
    css.split('\n').flatMap((line) => {
      const [, name, day, night] =
        /^--([\w-]+): light-dark\((#\w+), (#\w+)\);$/.exec(line.trim()) ?? [];
      return name && day && night ? [[name, { day, night }]] : [];
    }),
  );
