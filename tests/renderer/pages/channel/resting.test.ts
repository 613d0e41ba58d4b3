import { expect, it } from 'vitest'
import { restingOf } from '../../../../renderer/pages/channel/list/resting.ts'

const rest = (model: string, key_id: string) => ({
  channel_id: 1,
  key_id,
  model,
  kind: 'failing' as const,
  status: 500,
  message: '',
  strikes: 3,
  seconds: 5,
  failed_at: 0,
  until: 0,
})

it('tells a channel that rests as a whole from single models and keys; a key counts once for all its models', () => {
  expect(restingOf([])).toEqual({ whole: undefined, models: 0, keys: 0 })
  const several = [rest('a', ''), rest('b', ''), rest('', 'k1'), rest('a', 'k2'), rest('b', 'k2')]
  expect(restingOf(several)).toEqual({ whole: undefined, models: 2, keys: 2 })
  const whole = rest('', '')
  expect(restingOf([...several, whole]).whole).toBe(whole)
})
