/** Max bytes of an event that wait for the rest of its data, which may span several lines. */
export const MAX_WAIT = 64 * 1024

const BLANK_LINE = /\n\r?\n/

/**
 * Decides when an incomplete event is read again: at its blank line, or once it has doubled in size or reached
 * `MAX_WAIT`. Reading it with every line would take quadratic time. A class: one is created for each stream.
 */
export class EventWait {
  #size = 0
  #again = 0
  /** The last bytes, in which a blank line may have begun. */
  #tail = ''

  begin(event: Buffer): void {
    this.#size = event.length
    this.#again = Math.min(2 * this.#size, MAX_WAIT)
    this.#tail = event.toString('latin1', Math.max(0, event.length - 2))
  }

  /** Whether the event is still too incomplete to be read after these bytes. */
  goesOn(bytes: Buffer): boolean {
    this.#size += bytes.length
    if (this.#size >= this.#again) return false
    const seen = this.#tail + bytes.toString('latin1')
    this.#tail = seen.slice(-2)
    return !BLANK_LINE.test(seen)
  }
}
