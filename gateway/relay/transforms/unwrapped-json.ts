import { createMemberEnd } from './json-end.ts'

/** The member that holds an answer whose schema is no object's: tools take objects alone. */
export const WRAPPING = 'answer'

/** What stands before that member's value. */
const HEAD = new RegExp(`^\\s*\\{\\s*"${WRAPPING}"\\s*:\\s*`)
/** A beginning that is longer than this and still none is no wrapping at all. */
const MAX_HEAD_LENGTH = 64

/** Takes the JSON of a wrapped answer in pieces and answers the pieces of the value alone. */
export interface Unwrapper {
  feed(json: string): string
  /** What is left of JSON that was not wrapped after all; it goes on as it came. */
  end(): string
}

/** Fresh state for one answer. Whatever comes after the value is left out; JSON without the member passes whole. */
export function createUnwrapper(): Unwrapper {
  let head = ''
  let state: 'head' | 'value' | 'done' | 'whole' = 'head'
  let value = createMemberEnd()
  let isAtValue = false
  const begun = (piece: string): string => {
    // White space before the value may come in any number of pieces.
    const json = isAtValue ? piece.trimStart() : piece
    if (isAtValue && json === '') return ''
    head += json
    const found = HEAD.exec(head)?.[0]
    // A head that ends here may go on with white space, which is no part of the value either.
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
      if (state === 'head') return begun(json)
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
