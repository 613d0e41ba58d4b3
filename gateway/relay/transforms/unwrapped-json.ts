import { createMemberEnd } from './json-end.ts'

/** The member that contains an answer whose schema is not an object, since tools only accept objects. */
export const WRAPPING = 'answer'

const HEAD = new RegExp(`^\\s*\\{\\s*"${WRAPPING}"\\s*:\\s*`)
/** Max characters that are matched: an answer whose longer beginning does not match is not wrapped. */
const MAX_HEAD_LENGTH = 64

/** Extracts the value from the JSON of a wrapped answer, in pieces. */
export interface Unwrapper {
  feed(json: string): string
  /** Returns the rest, unchanged, if the JSON was not wrapped after all. */
  end(): string
}

/** Creates the state for one answer. Ignores anything after the value; JSON without the member is passed unchanged. */
export function createUnwrapper(): Unwrapper {
  let head = ''
  let state: 'head' | 'value' | 'done' | 'whole' = 'head'
  let value = createMemberEnd()
  let isAtValue = false
  const takeHead = (piece: string): string => {
    // White space before the value may come in any number of pieces.
    const json = isAtValue ? piece.trimStart() : piece
    if (isAtValue && json === '') return ''
    head += json
    const found = HEAD.exec(head)?.[0]
    // A head at the end of the input may continue with white space, which is not part of the value either.
    if (found !== undefined && found.length < head.length) {
      state = 'value'
      const rest = head.slice(found.length)
      head = ''
      return taken(rest)
    }
    isAtValue = found !== undefined
    if (head.length <= MAX_HEAD_LENGTH || isAtValue) return ''
    state = 'whole'
    return whole()
  }
  const whole = (): string => {
    const all = head
    head = ''
    return all
  }
  const taken = (json: string): string => {
    const end = value(json)
    if (end === undefined) return json
    state = 'done'
    value = () => 0
    return json.slice(0, end)
  }
  return {
    feed(json) {
      if (state === 'head') return takeHead(json)
      if (state === 'value') return taken(json)
      return state === 'whole' ? json : ''
    },
    end() {
      const rest = state === 'head' ? whole() : ''
      state = 'done'
      return rest
    },
  }
}
