/** The longest line an upstream's stream may have: one image of the largest size, in base64 (spec/relay.md §7.5). */
export const LONGEST_LINE = 32 * 1024 * 1024

/** An upstream's stream sent a line longer than `LONGEST_LINE`. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}
