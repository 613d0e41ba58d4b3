import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChannelTypeName, channelTypes } from '../../../../shared/channel-types.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { saidAnswer, saidStream } from '../../../support/chat-said.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import type { Said } from '../../../support/said.ts'
import type { Recorded, Script, StreamEvent } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { chunks, EVENT_STREAM } from './aws/bedrock.ts'
import { type ChatRow, chatRows } from './every-type-rows.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const LIST = [1, 2]
const TOOL = 'structured_answer'
const call = { id: 'call_1', name: TOOL, arguments: { answer: LIST } }
const byCall: Said = { calls: [call] }
const byText: Said = { texts: ['[1,', '2]'] }

const both =
  (whole: (said: Said) => object, stream: (said: Said) => readonly StreamEvent[]) =>
  (said: Said, isStream: boolean): Script =>
    isStream ? { events: stream(said) } : { body: whole(said) }
const openai = both(saidAnswer, saidStream)
const ndjson = (...items: readonly object[]): Script => ({
  headers: { 'content-type': 'application/stream+json' },
  events: items.map((item) => Buffer.from(`${JSON.stringify(item)}\n`)),
})

/** The responses of vendors with their own dialect: a tool call, or the same content as text. */
const own: Readonly<Partial<Record<ChannelTypeName, (said: Said, isStream: boolean) => Script>>> = {
  anthropic: both(messageAnswer, messageStream),
  aws: (said, isStream) =>
    isStream ? { headers: EVENT_STREAM, events: chunks(messageStream(said)) } : { body: messageAnswer(said) },
  gemini: both(geminiAnswer, geminiStream),
  vertex: both(geminiAnswer, geminiStream),
  baidu: ({ calls }, isStream) => {
    const function_call = { name: TOOL, arguments: JSON.stringify(call.arguments) }
    const answer = calls ? { result: '', function_call } : { result: '[1,2]' }
    return isStream ? { events: [{ ...answer, is_end: true }] } : { body: answer }
  },
  tencent: ({ calls }, isStream) => {
    const called = { Name: TOOL, Arguments: JSON.stringify(call.arguments) }
    const FinishReason = calls ? 'tool_calls' : 'stop'
    const said = calls
      ? { ToolCalls: [{ Id: 'c', Type: 'function', Index: 0, Function: called }] }
      : { Content: '[1,2]' }
    if (isStream) return { events: [{ Choices: [{ Delta: said, FinishReason }] }] }
    return { body: { Response: { Choices: [{ Message: { Role: 'assistant', ...said }, FinishReason }] } } }
  },
  cohere: ({ calls }, isStream) => {
    const tool_calls = [{ name: TOOL, parameters: call.arguments }]
    const end = { event_type: 'stream-end', is_finished: true, finish_reason: 'COMPLETE', response: { meta: {} } }
    if (!isStream)
      return { body: { text: calls ? '' : '[1,2]', finish_reason: 'COMPLETE', ...(calls ? { tool_calls } : {}) } }
    return calls
      ? ndjson({ event_type: 'tool-calls-generation', tool_calls }, { ...end, response: { tool_calls } })
      : ndjson({ event_type: 'text-generation', text: '[1,2]' }, end)
  },
}

/** The response of a vendor without tools, with the list instead of its greeting. */
const exchanged = (script: Script): Script => ({
  ...script,
  ...(script.body ? { body: JSON.parse(inList(JSON.stringify(script.body))) } : {}),
  ...(script.events ? { events: script.events.map(listed) } : {}),
})
const inList = (text: string): string =>
  text.replaceAll('Hello there', '[1,2]').replaceAll('Hello', '[1,').replaceAll(' there', '2]')
function listed(event: StreamEvent): StreamEvent {
  if (Buffer.isBuffer(event)) return Buffer.from(inList(event.toString()))
  return typeof event === 'string' ? inList(event) : JSON.parse(inList(JSON.stringify(event)))
}

/** A vendor that responds with a call of the tool, or with text if there is none. */
function answers(name: ChannelTypeName, { says }: ChatRow, request: Recorded, isStream: boolean): Script {
  const isPass = request.path === '/token' || request.path.startsWith('/oauth/')
  const said = request.text.includes(TOOL) ? byCall : byText
  const voice = own[name] ?? (says ? undefined : openai)
  if (voice && !isPass) return voice(said, isStream)
  return exchanged(says?.(request, isStream) ?? {})
}

describe('every type of channel that chats (docs/reference/conversion.md#structured-output)', () => {
  // The keys are names of types, which Object.entries types as text.
  it.each(Object.entries(chatRows) as [ChannelTypeName, ChatRow][])(
    '%s: gives JSON of a schema, whole and streamed',
    async (name, row) => {
      const { url } = world.upstream
      const model = `by-${name}`
      await world.channel({
        type: channelTypes[name].id,
        key: typeof row.key === 'function' ? row.key(url) : (row.key ?? 'upstream-key'),
        other: row.other ?? '',
        base_url: url + (row.base ?? ''),
        models: model,
        model_mapping: JSON.stringify({ [model]: row.model ?? 'm' }),
      })
      const schema = { type: 'array', items: { type: 'integer' } }
      const body = { response_format: { type: 'json_schema', json_schema: { name: 'list', schema } } }
      for (const stream of [false, true]) {
        world.upstream.reset()
        world.upstream.answers((request) => answers(name, row, request, stream))
        const { status, content, json, events, text } = await alice.asks(model, 'Which?', { stream, body })
        expect([status, text]).toEqual([200, expect.anything()])
        expect(JSON.parse(content)).toEqual(LIST)
        const choices = [json, ...events].flatMap((each) => each?.choices ?? [])
        expect(choices.flatMap(({ finish_reason }) => finish_reason ?? [])).toEqual(['stop'])
        expect(choices.flatMap(({ message, delta }) => (message ?? delta)?.tool_calls ?? [])).toEqual([])
      }
    },
  )
})
