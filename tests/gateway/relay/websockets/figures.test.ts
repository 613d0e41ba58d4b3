import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../gateway/base/json/json.ts'
import { sumOf, usageOf } from '../../../../gateway/billing/usage.ts'
import { audioBytes, audioOf, plainAudio } from '../../../../gateway/relay/tokenizer/audio.ts'
import { createTally } from '../../../../gateway/relay/websockets/realtime/tally.ts'
import { realtimeUsage } from '../../../../gateway/relay/websockets/realtime/usage.ts'
import { createTurnMemory, storedItems } from '../../../../gateway/relay/websockets/responses/memory.ts'

describe('the usage of a session (OpenAI\'s API reference, "Realtime server events")', () => {
  it('distinguishes text, sound and cache', () => {
    const usage = realtimeUsage({
      input_tokens: 200,
      output_tokens: 100,
      input_token_details: {
        audio_tokens: 150,
        image_tokens: 20,
        cached_tokens: 60,
        cached_tokens_details: { text_tokens: 10, audio_tokens: 50 },
      },
      output_token_details: { audio_tokens: 80 },
    })
    const parts = { cacheRead: 60, audioInput: 100, imageInput: 20, audioOutput: 80 }
    expect(usage).toEqual(usageOf({ prompt: 200, completion: 100, ...parts }))
  })

  it.each([
    ['nothing', undefined],
    ['zeros', { input_tokens: 0, output_tokens: 0 }],
    ['text', { input_tokens: '7', output_tokens: 1 }],
    ['less than nothing', { input_tokens: -7, output_tokens: 1 }],
    ['more than there is', { input_tokens: 1e12, output_tokens: 1 }],
    ['an endless recording', { type: 'duration', seconds: 1e9 }],
    ['a recording of no length', { type: 'duration', seconds: Number.NaN }],
  ])('is not believed where it is %s', (_, value) => {
    expect(realtimeUsage(value)).toBeUndefined()
  })

  it('never has parts larger than the whole', () => {
    const details = { audio_tokens: 500, cached_tokens: 900 }
    const usage = realtimeUsage({ input_tokens: 10, output_tokens: 1, input_token_details: details })
    expect(usage).toMatchObject({ audioInput: 10, cacheRead: 10 })
  })

  it('of a recording is a thousand tokens a minute, by whole seconds', () => {
    expect(realtimeUsage({ type: 'duration', seconds: 60.2 })?.prompt).toBe(1017)
  })

  it('is as certain as the least certain of its parts', () => {
    const both = sumOf(usageOf({ prompt: 1 }), usageOf({ prompt: 2, source: 'estimated' }))
    expect(both).toMatchObject({ prompt: 3, source: 'estimated' })
    expect(sumOf(usageOf({}), usageOf({ source: 'counted' })).source).toBe('counted')
  })
})

describe('the sound of a session (docs/reference/billing.md#audio)', () => {
  it.each([
    ['nothing', {}, { inputBytes: 48_000, outputBytes: 48_000 }],
    [
      'the beta',
      { input_audio_format: 'g711_ulaw', output_audio_format: 'pcm16' },
      { inputBytes: 8000, outputBytes: 48_000 },
    ],
    [
      'the general interface',
      { audio: { input: { format: { type: 'audio/pcma' } }, output: { format: { type: 'audio/pcm', rate: 16_000 } } } },
      { inputBytes: 8000, outputBytes: 32_000 },
    ],
  ])('has a certain number of bytes a second where %s is set', (_, session, sound) => {
    expect(audioOf(session, plainAudio)).toEqual(sound)
  })

  it('is as long as its bytes, not its base64', () => {
    for (const length of [0, 1, 2, 3, 100]) expect(audioBytes(Buffer.alloc(length).toString('base64'))).toBe(length)
    expect(audioBytes(7)).toBe(0)
  })
})

describe('counting usage that the vendor does not report', () => {
  const aTally = () => {
    const told: unknown[] = []
    const tally = createTally({
      isTranscription: false,
      imageTokens: () => 0,
      now: () => 0,
      reasons: false,
      count: async (texts) => ({ tokens: texts.join('').length, source: 'counted' }),
      used: ({ prompt, completion, audioInput, source }) => told.push({ prompt, completion, audioInput, source }),
      admit: () => {},
      refused: (error) => told.push(error),
      failed: (error) => told.push(error),
    })
    const says = (event: JsonObject) => tally.fromUpstream(event)
    const hears = (event: object) => tally.fromCaller({ ...event })
    return { tally, told, says, hears }
  }

  it('counts instructions, tools, texts and results as input', async () => {
    const { tally, told, says, hears } = aTally()
    hears({ type: 'session.update', session: { instructions: '12345', tools: [1] } })
    hears({ type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: '67' }] } })
    hears({ type: 'conversation.item.create', item: { type: 'function_call_output', output: '8' } })
    says({ type: 'response.function_call_arguments.delta', delta: '{}' })
    says({ type: 'response.done', response: {} })
    await tally.finish('complete')
    expect(told).toEqual([{ prompt: 5 + 3 + 2 + 1, completion: 2, audioInput: 0, source: 'counted' }])
  })

  it('counts nothing for an answer without anything in it, and nothing twice', async () => {
    const { tally, told, says, hears } = aTally()
    hears({ type: 'session.update', session: { instructions: '12345' } })
    says({ type: 'response.done', response: { status: 'failed' } })
    says({ type: 'response.output_text.delta', delta: 'hello' })
    says({ type: 'response.done', response: { usage: { input_tokens: 3, output_tokens: 2 } } })
    await tally.finish('complete')
    await tally.finish('complete')
    expect(told).toEqual([{ prompt: 3, completion: 2, audioInput: 0, source: 'upstream' }])
  })

  it('leaves out sound that was taken back', async () => {
    const { tally, told, says, hears } = aTally()
    const audio = Buffer.alloc(48_000).toString('base64')
    hears({ type: 'input_audio_buffer.append', audio })
    says({ type: 'input_audio_buffer.cleared' })
    says({ type: 'response.output_text.delta', delta: 'hello' })
    await tally.finish('complete')
    expect(told).toEqual([{ prompt: 0, completion: 5, audioInput: 0, source: 'counted' }])
  })

  it('stores no more of a text than it can count, and estimates the rest', async () => {
    const { tally, told, says, hears } = aTally()
    const mebibyte = 'x'.repeat(1024 * 1024)
    hears({ type: 'session.update', session: { instructions: mebibyte } })
    says({ type: 'response.output_text.delta', delta: 'hello' })
    await tally.finish('complete')
    const kept = 64 * 1024
    expect(told).toEqual([
      { prompt: kept + (mebibyte.length - kept) / 4, completion: 5, audioInput: 0, source: 'estimated' },
    ])
  })
})

describe('the turns that sockets retain', () => {
  it('are removed when the memory is full, the longest unused first', async () => {
    const memory = createTurnMemory(700)
    const [one, two, three] = [memory.forSocket(1), memory.forSocket(1), memory.forSocket(1)]
    const items = await storedItems([{ text: 'x'.repeat(30) }])
    one.keep('a', items)
    two.keep('b', items)
    one.keep('c', items)
    three.keep('d', items)
    expect(two.recall('b')).toBeUndefined()
    expect(one.recall('c')).toEqual(items)
    expect(one.recall('a')).toBeUndefined()
    one.forget()
    two.keep('e', items)
    expect(three.recall('d')).toEqual(items)
  })

  it('are removed of the account with most, never of one with less', async () => {
    const memory = createTurnMemory(1700)
    const items = await storedItems([{ text: 'x'.repeat(30) }])
    const bob = memory.forSocket(1)
    bob.keep('mine', items)
    const eve = Array.from({ length: 20 }, () => memory.forSocket(2))
    for (const [index, socket] of eve.entries()) socket.keep(`${index}`, items)
    expect(bob.recall('mine')).toEqual(items)
    expect(eve.flatMap((socket, index) => (socket.recall(`${index}`) ? [index] : []))).toEqual([16, 17, 18, 19])
  })
})
