/** A smaller piece is copied together with its neighbours. */
const SMALL = 4096
const FIRST_BLOCK = 512
const MAX_BLOCK = 64 * 1024

/**
 * Bytes that come in pieces of any size, as one. Small pieces are copied together as they come: kept as they are, each would
 * weigh a hundred times what it holds, and who sends single bytes would fill the memory long before any limit of theirs.
 */
export class Gathered {
  /** All bytes so far. */
  size = 0
  #pieces: Buffer[] = []
  /** Where small pieces go, and how much of it is filled. */
  #block: Buffer | undefined
  #filled = 0
  #next = FIRST_BLOCK

  add(piece: Buffer): void {
    this.size += piece.length
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

  /** All of it; nothing is kept afterwards. */
  take(): Buffer {
    this.#close()
    const [only] = this.#pieces
    const whole = only && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces, this.size)
    this.#pieces = []
    this.#next = FIRST_BLOCK
    this.size = 0
    return whole
  }

  #close(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#filled))
    this.#block = undefined
    this.#filled = 0
  }
}
