import fc from 'fast-check'
import type {
  CacheMark,
  Conversation,
  FunctionTool,
  Part,
  Turn,
} from '../../../../gateway/relay/formats/conversation.ts'

/** Random short texts. Each has letters, because some vendors drop text that is only white space. */
const words = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `a${text.trim()}z`)

const names = fc.constantFrom('weather', 'walk', 'look_up')

/** Arguments as JSON text: an object with any members. */
export const jsonText = fc
  .dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true, maxKeys: 4 })
  .map((value) => JSON.stringify(JSON.parse(JSON.stringify(value))))

const marks: fc.Arbitrary<CacheMark | undefined> = fc.constantFrom(undefined, undefined, {}, { ttl: '1h' as const })

const text = (cache: fc.Arbitrary<CacheMark | undefined>): fc.Arbitrary<Part> =>
  fc.record({ type: fc.constant('text' as const), text: words, cache })

const image: fc.Arbitrary<Part> = fc.base64String({ minLength: 4, maxLength: 8 }).map((data) => ({
  type: 'media',
  kind: 'image',
  source: { type: 'data', mime: 'image/png', data },
}))

/** Random exchanges: a user message, and a response or a round of calls with their results. */
const callUpstream = (cache: fc.Arbitrary<CacheMark | undefined>): fc.Arbitrary<UpstreamCall> =>
  fc.record({
    asked: fc.tuple(text(cache), fc.option(image, { nil: undefined })),
    calls: fc.array(fc.record({ name: names, arguments: jsonText, result: words }), { maxLength: 3 }),
    said: words,
  })

type UpstreamCall = Readonly<{
  asked: readonly (Part | undefined)[]
  calls: readonly Readonly<{ name: string; arguments: string; result: string }>[]
  said: string
}>

function turnsOf({ asked, calls, said }: UpstreamCall, id: () => string): readonly Turn[] {
  const user: Turn = { role: 'user', parts: asked.filter((part) => part !== undefined) }
  const answer: Turn = { role: 'assistant', parts: [{ type: 'text', text: said }] }
  if (calls.length === 0) return [user, answer]
  const made = calls.map((call) => ({ ...call, id: id() }))
  const calling = made.map(
    (call): Part => ({ type: 'tool-call', id: call.id, name: call.name, arguments: call.arguments }),
  )
  const results = made.map(
    (call): Part => ({ type: 'tool-result', callId: call.id, content: [{ type: 'text', text: call.result }] }),
  )
  return [user, { role: 'assistant', parts: calling }, { role: 'user', parts: results }, answer]
}

const tools: fc.Arbitrary<readonly FunctionTool[]> = fc.uniqueArray(names, { maxLength: 3 }).map((all) =>
  all.map((name) => ({
    type: 'function',
    name,
    description: `To ${name}.`,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  })),
)

const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)

/** Random conversations with the features that all four dialects have, as a client might send them. */
export const conversations = (cache: fc.Arbitrary<CacheMark | undefined> = fc.constant(undefined)) =>
  fc
    .record({
      system: fc.option(text(cache), { nil: undefined }),
      earlier: fc.array(callUpstream(cache), { maxLength: 3 }),
      asked: text(cache),
      tools,
      temperature: fc.option(fraction, { nil: undefined }),
      maxOutput: fc.integer({ min: 16, max: 4096 }),
    })
    .map(({ system, earlier, asked, ...said }): Conversation => {
      let ids = 0
      const turns = earlier.flatMap((each) => turnsOf(each, () => `call_${++ids}`))
      return {
        model: 'a-model',
        stream: false,
        ...said,
        turns: [
          ...(system ? [{ role: 'system' as const, parts: [system] }] : []),
          ...turns,
          { role: 'user', parts: [asked] },
        ],
        shared: {},
        extras: { from: 'openai', fields: {} },
      }
    })

/** The same with cache marks on some of the texts. */
export const markedConversations = () => conversations(marks)

/** The meaning of a conversation in any dialect: texts, images, calls and results of both sides. */
export function gistOf({ turns, tools: offered, temperature, maxOutput }: Conversation): unknown {
  const sides: { role: string; said: unknown[] }[] = []
  for (const { role, parts } of turns) {
    const last = sides.at(-1)
    const said = parts.flatMap(saidBy)
    if (last?.role === role) last.said.push(...said)
    else sides.push({ role, said })
  }
  const functions = offered.map((tool) =>
    tool.type === 'function' ? [tool.name, tool.description, tool.parameters] : tool,
  )
  return { sides, functions, temperature, maxOutput }
}

function saidBy(part: Part): readonly unknown[] {
  if (part.type === 'text') return [part.text]
  if (part.type === 'media') return [part.source]
  if (part.type === 'tool-call') return [{ called: part.name, with: JSON.parse(part.arguments || '{}') }]
  if (part.type !== 'tool-result') return [part]
  return [{ answered: part.content.flatMap(saidBy).join('\n') }]
}

/** The texts with cache marks, in order, with the marks' durations. */
export const markedTexts = ({ turns }: Conversation): readonly unknown[] =>
  turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' && part.cache ? [[part.text, part.cache.ttl ?? '5m']] : [])),
  )
