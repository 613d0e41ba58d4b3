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
