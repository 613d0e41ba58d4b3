/** The non-blank lines of a text, trimmed: how options with one entry per line are read. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * The distinct entries of a comma-separated list, trimmed and in lower case: how EmailDomainWhitelist is read. An
 * empty text is an empty list.
 */
export const domainsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((domain) => domain.trim().toLowerCase())
      .filter((domain) => domain !== ''),
  ),
]

/**
 * Whether a text is a mail domain: labels, dot, a top-level domain of at least two letters
 * (docs/reference/options.md#validation).
 */
export const isMailDomain = (text: string): boolean =>
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i.test(text)
