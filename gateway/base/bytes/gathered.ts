/** Smaller pieces are copied into a shared block. */
const SMALL = 4096
const FIRST_BLOCK = 512
/** Pieces of fewer bytes on average are tiny. */
const TINY = 16
const MAX_TINY_PIECES = 2000
const MAX_BLOCK = 64 * 1024

/**
 * Collects bytes that arrive in pieces of any size. Small pieces are copied together: stored separately, each would
 * take a hundred times its size, and a sender of single bytes would fill the memory long before reaching any limit.
 */
export class Gathered {
  size = 0
  #count = 0
  #pieces: Buffer[] = []
  /** The block for small pieces, and how much of it is filled. */
  #block: Buffer | undefined
  #filled = 0
  #next = FIRST_BLOCK

  add(piece: Buffer): void {
    this.size += piece.length
    this.#count += 1
    if (piece.length >= SMALL || (this.#pieces.length === 0 && !this.#block)) {
      this.#close()
      this.#next = FIRST_BLOCK
      this.#pieces.push(piece)
      return
    }
    if (!this.#block || this.#filled + piece.length > this.#block.length) {
      this.#close()
      this.#block = Buffer.allocUnsafeSlow(Math.max(this.#next, piece.length))
      this.#next = Math.min(2 * this.#next, MAX_BLOCK)
    }
    piece.copy(this.#block, this.#filled)
    this.#filled += piece.length
  }

  /**
   * Whether the bytes arrive in so many tiny pieces that reading them costs more than they are worth: no real client
   * sends such pieces.
   */
  isShredded(): boolean {
    return this.#count > MAX_TINY_PIECES && this.size < this.#count * TINY
  }

  take(): Buffer {
    this.#close()
    const [only] = this.#pieces
    const whole = only && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces, this.size)
    this.#pieces = []
    this.#next = FIRST_BLOCK
    this.size = 0
    this.#count = 0
    return whole
  }

  #close(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#filled))
    this.#block = undefined
    this.#filled = 0
  }
}
