export type Json = Readonly<Record<string, unknown>>

/**
 * Positions where the gateway changed the start of a conversation that its agent only extended: instructions, tools and
 * earlier turns must stay (docs/reference/conversion.md#append-only).
 */
export function changesIn({
  sent,
  requests,
}: Readonly<{ sent: readonly Json[]; requests: readonly { json: Json }[] }>) {
  if (sent.length !== requests.length) return ['not every request of the agent is one of the gateway']
  return requests.flatMap(({ json }, index): string[] => {
    const [before, after] = [sent[index - 1], sent[index]]
    if (!before || !after || !isGrown(before, after)) return []
    return isGrown(requests[index - 1]?.json ?? {}, json) ? [] : [`request ${index + 1} changes what stood before`]
  })
}

/** Whether `after` begins with the turns of `before`, under the same instructions and tools. */
export function isGrown(before: Json, after: Json): boolean {
  const [one, other] = [unmarked(before), unmarked(after)]
  const turns = turnsIn(one)
  const heads = HEADS.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]))
  return heads && turns.length > 0 && JSON.stringify(turnsIn(other).slice(0, turns.length)) === JSON.stringify(turns)
}

const HEADS = ['system', 'instructions', 'systemInstruction', 'tools']

const turnsIn = ({ messages, input = messages, contents = input }: Json): readonly unknown[] =>
  Array.isArray(contents) ? contents : []

/**
 * Cache marks move forward, and are not part of the conversation; a text is shorthand for a single block, which a mark
 * requires (Anthropic's API reference, "Messages": content).
 */
const unmarked = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key === 'cache_control') return undefined
      const [only, ...more] = (key === 'content' || key === 'system') && Array.isArray(value) ? value : []
      return more.length === 0 && /^(input_)?text$/.test(only?.type) ? only.text : value
    }),
  )
