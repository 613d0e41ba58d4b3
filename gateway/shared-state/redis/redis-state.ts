import type { Clock } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import { sharedRates } from '../shared-counts.ts'
import type { SharedState } from '../shared-state.ts'
import { createRedisAffinity } from './redis-affinity.ts'
import { createRedisCooldowns } from './redis-cooldowns.ts'
import { createRedisCounts } from './redis-counts.ts'
import { openRedisLink } from './redis-link.ts'

type RedisStateDeps = Readonly<{
  url: string
  /** The state that applies while Redis is away. */
  own: SharedState
  clock: Clock
  log: Logger
}>

type RedisState = Pick<SharedState, 'affinity' | 'cooldowns' | 'counts' | 'rates'>

const NODE_ID_LENGTH = 16

/** The state that nodes share in Redis (docs/growth.md#redis). Does not wait for the server. */
export function openRedisState({ url, own, clock, log }: RedisStateDeps): RedisState & { close(): void } {
  const link = openRedisLink({ url, log })
  const counts = createRedisCounts(link)
  return {
    affinity: createRedisAffinity(link, own.affinity),
    cooldowns: createRedisCooldowns({ link, own: own.cooldowns, clock, node: randomKey(NODE_ID_LENGTH) }),
    counts,
    rates: sharedRates(counts, own.rates),
    close: link.close,
  }
}
