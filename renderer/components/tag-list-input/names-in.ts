/** Separators of names: ASCII and Chinese commas, semicolons, line breaks. */
export const between = /[,，;\n\r]+/

export const namesIn = (typed: string): string[] =>
  typed
    .split(between)
    .map((name) => name.trim())
    .filter(Boolean)
