/** Takes JSON in pieces and tells where in a piece something ends; undefined where it goes on. */
export type JsonEnd = (json: string) => number | undefined

/** Where the value of a member ends: before the comma or bracket that follows it. The first piece begins with the value. */
export function createMemberEnd(): JsonEnd {
  const depthAfter = createDepth()
  return (json) => {
    for (let at = 0; at < json.length; at++) {
      const sign = json.charAt(at)
      const depth = depthAfter(sign)
      if (depth < 0 || (depth === 0 && sign === ',')) return at
    }
    return undefined
  }
}

/** Where an object or array ends: after the bracket that closes it. The first piece begins before or at its first bracket. */
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
/** Within a text no bracket counts. */
const IN_TEXT = Number.POSITIVE_INFINITY

/** How many brackets are open after a sign. */
function createDepth(): (sign: string) => number {
  let depth = 0
  let isText = false
  let isEscaped = false
  return (sign) => {
    if (!isText && sign !== '"') {
      if (OPENING.includes(sign)) depth++
      else if (CLOSING.includes(sign)) depth--
      return depth
    }
    if (isEscaped) isEscaped = false
    else if (sign === '\\') isEscaped = true
    else if (sign === '"') isText = !isText
    return IN_TEXT
  }
}
