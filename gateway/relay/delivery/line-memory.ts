import { LineTooLong } from '../formats/refusals.ts'
import type { MemoryShare } from '../intake/body-memory.ts'

const LINE_FEED = 0x0a
/** Bytes of a line up to which its memory is not counted; nearly all lines are shorter. */
const UNCOUNTED = 64 * 1024

/** Reserves the memory of an upstream's line while it is incomplete, since none of it can be sent yet. */
export class LineMemory {
  readonly #memory: Pick<MemoryShare, 'grow'>
  #length = 0

  constructor(memory: Pick<MemoryShare, 'grow'>) {
    this.#memory = memory
  }

  /** Takes the next bytes of the stream; throws `LineTooLong` if no memory is left. */
  take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(LINE_FEED)
    this.#length = end < 0 ? this.#length + bytes.length : bytes.length - end - 1
    if (this.#length <= UNCOUNTED) return
    try {
      this.#memory.grow(this.#length)
    } catch (cause) {
      throw new LineTooLong('no memory is left for a line of the stream', { cause })
    }
  }
}
