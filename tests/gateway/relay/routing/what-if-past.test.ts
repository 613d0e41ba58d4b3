import { expect, it } from 'vitest'
import type { Skipped } from '../../../../gateway/relay/model/outcome.ts'
import { createPastCooldowns } from '../../../../gateway/relay/routing/what-if/past-cooldowns.ts'

const cooling = (seconds: number, reason: Skipped['reason'] = 'cooldown', status = 503): Skipped => ({
  channel: 1,
  reason,
  status,
  seconds,
})

it('knows who was passed over, from the request that told it to the end of the wait, for its model alone', () => {
  const past = createPastCooldowns()
  const kindAt = (seconds: number, model = 'm') => {
    const obstacle = past.at(model, seconds).get(1)
    return typeof obstacle === 'object' ? obstacle.kind : obstacle
  }
  // The newest first, as they are read.
  past.note(900, 'm', [{ channel: 1, reason: 'at_capacity' }])
  past.note(520, 'm', [cooling(40)])
  past.note(500, 'm', [cooling(60)])
  past.note(300, 'm', [cooling(30, 'limited', 429)])
  past.note(100, 'm', [cooling(10, 'no_key', 429)])
  expect([899, 900, 901].map((at) => kindAt(at))).toEqual([undefined, 'full', undefined])
  expect([499, 500, 519, 540, 560, 561].map((at) => kindAt(at))).toEqual([
    undefined,
    'failing',
    'failing',
    'failing',
    'failing',
    undefined,
  ])
  expect([299, 300, 330, 331].map((at) => kindAt(at))).toEqual([undefined, 'limited', 'limited', undefined])
  expect([kindAt(105), kindAt(111), kindAt(505, 'other')]).toEqual(['limited', undefined, undefined])
})
