import { beforeAll, describe, expect, it } from 'vitest'
import { createWordGuard } from '../../../../gateway/relay/content-filter/word-guard.ts'
import { aWorld, type World } from '../../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { CheckSensitiveEnabled: true, CheckSensitiveOnPromptEnabled: true } })
  await world.option('SensitiveWords', 'bomb')
})

const log = { warn: () => {}, info: () => {}, error: () => {}, debug: () => {} }
const item = (text: string) => ({ item: { type: 'message', content: [{ type: 'input_text', text }] } })

describe('blocked words in events of sessions (docs/reference/limits.md#blocked-words)', () => {
  it.each([
    { clientContent: { turns: [{ role: 'user', parts: [{ text: 'a bo' }, { text: 'mb' }] }] } },
    { client_content: { turns: { parts: { text: 'a bomb' } } } },
    { realtimeInput: { text: 'a bomb' } },
    { toolResponse: { functionResponses: [{ id: '1', name: 'look', response: { result: 'a bomb' } }] } },
  ])('are found in Gemini’s events: %j', (event) => {
    const guard = createWordGuard(world.gateway.inner.settings, log as never)
    expect(() => guard.checkEvent(event, 'r')).toThrow()
  })

  it.each([
    item('a bomb'),
    { item: { type: 'function_call', arguments: 'a bomb' } },
    { item: { type: 'message', content: [{ type: 'input_audio', audio: '', transcript: 'a bomb' }] } },
    { session: { instructions: 'a bomb' } },
    { session: { audio: { input: { transcription: { prompt: 'a bomb' } } } } },
    { session: { input_audio_transcription: { prompt: 'a bomb' } } },
    { response: { input: [{ type: 'message', content: 'a bomb' }] } },
  ])('are found in OpenAI’s events: %j', (event) => {
    const guard = createWordGuard(world.gateway.inner.settings, log as never)
    expect(() => guard.checkEvent(event, 'r')).toThrow()
  })

  it('are not searched in sound and pictures', () => {
    const guard = createWordGuard(world.gateway.inner.settings, log as never)
    const audio = { mimeType: 'audio/pcm', data: 'AAbomb==' }
    expect(guard.checkEvent({ realtimeInput: { audio, mediaChunks: [audio] } }, 'r')).toBeUndefined()
    const content = [{ type: 'input_audio', audio: 'AAbomb==' }]
    expect(guard.checkEvent({ item: { type: 'message', content } }, 'r')).toBeUndefined()
  })

  it('are searched at once in short events, and in slices in long ones', async () => {
    const guard = createWordGuard(world.gateway.inner.settings, log as never)
    expect(guard.checkEvent(item('a b c'), 'r')).toBeUndefined()
    expect(() => guard.checkEvent(item('a bomb'), 'r')).toThrow()
    let others = 0
    const checking = guard.checkEvent(item('b'.repeat(4 * 1024 * 1024)), 'r')
    let isOver = false
    const count = () => {
      others += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await checking
    isOver = true
    expect(others).toBeGreaterThan(2)
    await expect(guard.checkEvent(item(`${'b'.repeat(1024 * 1024)} bomb`), 'r')).rejects.toThrow()
  })
})
