/** As much of an event waits for the rest of its data, which may stand in several lines. */
export const MAX_WAIT = 64 * 1024

const BLANK_LINE = /\n\r?\n/

/**
 * When an event whose data is not whole is worth reading again: at its blank line, or once it has grown to twice its size.
 * To read it with each line would take time that grows with the square of their number. A class: one is made for every
 * stream.
 */
export class EventWait {
  #size = 0
  #again = 0
  /** The last bytes, in which a blank line may have begun. */
  #tail = ''

  /** These are all bytes of the event so far. */
  begin(event: Buffer): void {
    this.#size = event.length
    this.#again = Math.min(2 * this.#size, MAX_WAIT)
    this.#tail = event.toString('latin1', Math.max(0, event.length - 2))
  }

  /** Whether these bytes more leave it as it is. */
  goesOn(bytes: Buffer): boolean {
    this.#size += bytes.length
    if (this.#size >= this.#again) return false
    const seen = this.#tail + bytes.toString('latin1')
    this.#tail = seen.slice(-2)
    return !BLANK_LINE.test(seen)
  }
}
