import { expect, it } from 'vitest'
import { cooldownSummary } from '../../../../renderer/pages/channel/list/cooldown-summary.ts'

const cooldown = (model: string, key_id: string) => ({
  channel_id: 1,
  key_id,
  model,
  kind: 'failing' as const,
  status: 500,
  message: '',
  failures: 3,
  seconds: 5,
  failed_at: 0,
  until: 0,
})

it('distinguishes a channel that cools down completely from single models and keys; a key counts once for all its models', () => {
  expect(cooldownSummary([])).toEqual({ whole: undefined, models: 0, keys: 0 })
  const several = [cooldown('a', ''), cooldown('b', ''), cooldown('', 'k1'), cooldown('a', 'k2'), cooldown('b', 'k2')]
  expect(cooldownSummary(several)).toEqual({ whole: undefined, models: 2, keys: 2 })
  const whole = cooldown('', '')
  expect(cooldownSummary([...several, whole]).whole).toBe(whole)
})
