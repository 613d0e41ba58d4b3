import { isObject, parsed } from '../../base/json/json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const LAST_SPACE = 0x20

/**
 * Detects when JSON text that arrives in pieces is a complete object. Scans each piece once, and only on demand; parses
 * the text once, when its outermost brace has closed. A class: one is created for each call.
 */
export class WholeObject {
  json = ''
  #fresh: string[] = []
  #level = 0
  #isText = false
  #isEscaped = false
  #isClosed = false
  /** The text does not begin with a brace or continues after the object, so it can never be an object. */
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

  #follow(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === BACKSLASH) this.#isEscaped = true
    else if (code === QUOTE) this.#isText = false
  }

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
