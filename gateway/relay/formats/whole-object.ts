import { isObject, parsed } from '../../base/json/json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const LAST_SPACE = 0x20

/**
 * A JSON text that comes in pieces, and whether it is a whole object by now. Each piece is walked over once, and only
 * where somebody asks; the text is parsed once, when its outermost brace has closed. A class: there is one for each call.
 */
export class WholeObject {
  /** The text so far. */
  json = ''
  /** Pieces that nobody has walked over. */
  #fresh: string[] = []
  #level = 0
  #isText = false
  #isEscaped = false
  /** The outermost brace has closed. */
  #isClosed = false
  /** It began with something else than a brace, or went on behind it: never an object any more. */
  #isBroken = false
  #isObject: boolean | undefined

  constructor(json = '') {
    this.add(json)
  }

  add(piece: string): void {
    if (piece === '') return
    this.json += piece
    this.#fresh.push(piece)
  }

  isWhole(): boolean {
    for (const piece of this.#fresh) this.#walk(piece)
    this.#fresh = []
    if (this.#isBroken || !this.#isClosed) return false
    this.#isObject ??= isObject(parsed(this.json))
    return this.#isObject
  }

  #walk(piece: string): void {
    for (let at = 0; at < piece.length && !this.#isBroken; at += 1) {
      const code = piece.charCodeAt(at)
      if (this.#isText) this.#follow(code)
      else if (code > LAST_SPACE) this.#take(code)
    }
  }

  /** A character within a text. */
  #follow(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === BACKSLASH) this.#isEscaped = true
    else if (code === QUOTE) this.#isText = false
  }

  /** A character outside of texts that is no space. */
  #take(code: number): void {
    if (this.#isClosed || (this.#level === 0 && code !== OPEN_OBJECT)) this.#isBroken = true
    else if (code === QUOTE) this.#isText = true
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#level += 1
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      this.#level -= 1
      this.#isClosed = this.#level === 0
    }
  }
}
