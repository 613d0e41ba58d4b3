/** Takes JSON in pieces and returns the offset in a piece at which something ends; undefined if it continues. */
export type JsonEnd = (json: string) => number | undefined

/** Finds the end of a member's value: the comma or bracket that follows it. The first piece begins with the value. */
export function createMemberEnd(): JsonEnd {
  const depthAfter = createDepth()
  return (json) => {
    for (let at = 0; at < json.length; at++) {
      const character = json.charAt(at)
      const depth = depthAfter(character)
      if (depth < 0 || (depth === 0 && character === ',')) return at
    }
    return undefined
  }
}

/**
 * Finds the end of an object or array: after its closing bracket. The first piece begins at or before its first
 * bracket.
 */
export function createBracketEnd(): JsonEnd {
  const depthAfter = createDepth()
  return (json) => {
    for (let at = 0; at < json.length; at++)
      if (depthAfter(json.charAt(at)) === 0 && CLOSING.includes(json.charAt(at))) return at + 1
    return undefined
  }
}

const OPENING = '{['
const CLOSING = '}]'
/** The depth within a string, where brackets do not count. */
const IN_STRING = Number.POSITIVE_INFINITY

function createDepth(): (character: string) => number {
  let depth = 0
  let isText = false
  let isEscaped = false
  return (character) => {
    if (!isText && character !== '"') {
      if (OPENING.includes(character)) depth++
      else if (CLOSING.includes(character)) depth--
      return depth
    }
    if (isEscaped) isEscaped = false
    else if (character === '\\') isEscaped = true
    else if (character === '"') isText = !isText
    return IN_STRING
  }
}
