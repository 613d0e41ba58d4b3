/** What stands between names: commas of either script, semicolons, ends of lines. */
export const between = /[,，;\n\r]+/

/** The names in a list that was typed or pasted. */
export const namesIn = (typed: string): string[] =>
  typed
    .split(between)
    .map((name) => name.trim())
    .filter(Boolean)
