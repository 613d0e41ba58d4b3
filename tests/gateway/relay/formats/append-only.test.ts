import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import { createCodecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { Conversation, Part, Tool, Turn } from '../../../../gateway/relay/formats/conversation.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { portable } from '../../../../gateway/relay/formats/portable.ts'
import { bodyOf, type Fixture, readFixtures } from '../agents/fixture.ts'
import { targetOf } from './anthropic/conversation.ts'

/**
 * The tests use agents' real requests, three times as long, with an additional instruction before each later user turn.
 */
const codecs = createCodecs(() => `call_${randomUUID()}`)
const fixtures = readFixtures()
const models: Readonly<Record<Format, readonly string[]>> = {
  openai: ['gpt-5.6-sol', 'kimi-k3'],
  responses: ['gpt-5.6-sol'],
  anthropic: ['claude-opus-5-5', 'claude-sonnet-4-5', 'deepseek-v4-pro'],
  gemini: ['gemini-3-flash-preview', 'gemini-2.5-pro'],
}
const ways = (Object.keys(models) as Format[]).flatMap((format) => models[format].map((model) => ({ format, model })))

describe.each(ways)(
  'a conversation that continues, for $model in $format (docs/reference/conversion.md#append-only)',
  (way) => {
    it.each(fixtures)('begins as it did before: $agent', (fixture) => {
      const long = lengthened(longest(fixture))
      const asked = stops(long.turns).map((end) =>
        sent(marked(heard({ ...long, turns: long.turns.slice(0, end) }, fixture)), way),
      )
      expect(asked.length).toBeGreaterThan(4)
      for (const [index, { said, tools: earlier, ...before }] of asked.entries()) {
        const next = asked[index + 1]
        if (!next) continue
        const { said: more, tools, ...after } = next
        expect(after).toEqual(before)
        expect(tools).toEqual(expect.arrayContaining([...earlier]))
        if (!long.tools.some(isLoaded)) expect(tools).toHaveLength(earlier.length)
        expect(more.slice(0, said.length)).toEqual(said)
      }
    })
  },
)

/** The longest conversation of an agent. */
function longest(fixture: Fixture): Conversation {
  const read = fixture.requests.map((request) => {
    const body: Json = bodyOf(fixture, request)
    return codecs[fixture.dialect].decodeRequest(body, String(body.model ?? 'm'), false)
  })
  return read.toSorted((one, other) => other.turns.length - one.turns.length)[0] as Conversation // no fixture is empty
}

function lengthened(conversation: Conversation): Conversation {
  const { turns } = conversation
  const begins = turns.findIndex(({ role }) => role === 'user')
  const answer: Turn = { role: 'assistant', parts: [...thoughts, { type: 'text', text: 'Done.' }] }
  const again = [1, 2].flatMap((round): readonly Turn[] => [
    { role: 'developer', parts: [{ type: 'text', text: `Mode ${round}.` }] },
    ...turns.slice(begins).map((turn) => ({ ...turn, parts: turn.parts.map((part) => renamed(part, round)) })),
    answer,
  ])
  return {
    ...conversation,
    turns: [...turns, answer, ...again, { role: 'user', parts: [{ type: 'text', text: 'And?' }] }],
  }
}

const thoughts: readonly Part[] = (['anthropic', 'gemini', 'responses', 'openai'] as const).map((by) => ({
  type: 'reasoning',
  text: 'Hm.',
  signature: {
    by,
    value: Buffer.from(`seal of ${by}`).toString('base64'),
    ...(by === 'responses' ? { id: 'rs_1' } : {}),
  },
}))

/** A part as repeated in a later round, in which calls have other ids. */
function renamed(part: Part, round: number): Part {
  if (part.type === 'tool-call') return { ...part, id: `${part.id}_${round}`, original: undefined }
  return part.type === 'tool-result' ? { ...part, callId: `${part.callId}_${round}`, original: undefined } : part
}

/** Numbers of turns at which requests end: before each response, and at the end. */
function stops(turns: readonly Turn[]): readonly number[] {
  const ends = turns.flatMap(({ role }, index) =>
    role === 'assistant' && turns[index - 1]?.role !== role ? [index] : [],
  )
  return [...ends.filter((end) => end > 0), turns.length]
}

/**
 * The conversation with a cache mark on the last text that is not the model's. Clients set it there, so it moves with
 * each request.
 */
function marked(conversation: Conversation): Conversation {
  const { turns } = conversation
  const at = turns.findLastIndex(({ role, parts }) => role !== 'assistant' && parts.some(({ type }) => type === 'text'))
  const parts = turns[at]?.parts ?? []
  const last = parts.findLastIndex(({ type }) => type === 'text')
  const part = parts[last]
  if (part?.type !== 'text') return conversation
  const turn = { ...(turns[at] as Turn), parts: parts.with(last, { ...part, cache: {}, original: undefined }) } // it has been found
  return { ...conversation, turns: turns.with(at, turn) }
}

/** The conversation as decoded from its client's request; this renames calls without ids. */
function heard(conversation: Conversation, { dialect }: Fixture): Conversation {
  const wire = codecs[dialect].encodeRequest(conversation, targetOf(conversation.model).target)
  return codecs[dialect].decodeRequest(JSON.parse(JSON.stringify(wire)), conversation.model, false)
}

type Sent = Readonly<{ said: readonly unknown[]; instructions: unknown; tools: readonly unknown[] }>

/** The upstream request for a conversation, without cache marks, since they move. */
function sent(conversation: Conversation, { format, model }: (typeof ways)[number]): Sent {
  const { target } = targetOf(model)
  const { conversation: plain } = portable(conversation, {
    format,
    strictOpenai: target.strictOpenai,
    drop: target.drop,
  })
  const wire = codecs[format].encodeRequest({ ...plain, model }, target)
  const { tools, system, instructions = system, systemInstruction = instructions } = unmarked(wire)
  const { messages, input = messages, contents = input } = unmarked(wire)
  const said: readonly unknown[] = Array.isArray(contents) ? contents : [{ role: 'user', content: contents }]
  return { said, instructions: systemInstruction, tools: toolsIn(tools) }
}

/** The individual tools; Google's dialect groups functions in a list. */
const toolsIn = (tools: unknown): readonly unknown[] =>
  (Array.isArray(tools) ? tools : []).flatMap((tool) => tool.functionDeclarations ?? [tool])

/** Whether a tool search loaded the tool later; dialects other than OpenAI's need it in the initial list. */
const isLoaded = (tool: Tool): boolean => 'isLoaded' in tool && tool.isLoaded === true

const unmarked = (wire: Json): Json =>
  JSON.parse(
    JSON.stringify(wire, (key, value) => {
      if (/^(cache_control|prompt_cache_breakpoint)$/.test(key)) return undefined
      // A string is shorthand for a single text part; a mark requires the part.
      const [only, ...more] = key === 'content' && Array.isArray(value) ? value : []
      return more.length === 0 && /^(input_)?text$/.test(only?.type) ? only.text : value
    }),
  )
