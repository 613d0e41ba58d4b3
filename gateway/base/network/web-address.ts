/** Longest host name and label (RFC 1035 §2.3.4); the name may be followed by a port. */
const MAX_NAME = 253
const MAX_LABEL = 63
const MAX_PORT = 6

/** Matches the characters that may precede a host name (WHATWG URL §4.4), and captures those up to its path. */
const AUTHORITY = /^[\0- ]*(?:[a-z][a-z0-9+.\t\n\r-]*:)?[\s\\/]*([^\\/?#]*)/i

/**
 * Parses an address that others may have chosen, as `URL.parse` does; also returns null for a host name that is too
 * long to exist. Node's time for a name with letters beyond ASCII grows with the square of a label's length.
 */
export const parsedAddress = (text: string, base?: string): URL | null =>
  hasPossibleName(text) ? URL.parse(text, base) : null

function hasPossibleName(text: string): boolean {
  const authority = AUTHORITY.exec(text)?.[1] ?? ''
  const name = authority.slice(authority.lastIndexOf('@') + 1)
  if (name.length > MAX_NAME + MAX_PORT) return false
  // Percent-encoded letters and other full stops (UTS 46 §4) make labels only shorter.
  return name.split('.').every((label) => label.length <= MAX_LABEL + MAX_PORT)
}
