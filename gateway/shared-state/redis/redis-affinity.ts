import { createHash } from 'node:crypto'
import { AFFINITY_MS, type Affinity } from '../affinity.ts'
import type { RedisLink } from './redis-link.ts'

/** Looks a conversation up in this node's memory, then in Redis, where all nodes store theirs. */
export const createRedisAffinity = (link: RedisLink, own: Affinity): Affinity => ({
  channelOf(conversation) {
    const known = own.channelOf(conversation)
    if (known !== undefined || !link.isUp) return known
    return link.run(['GET', keyOf(conversation)]).then((found) => {
      const id = typeof found === 'string' ? Number(found) : Number.NaN
      return Number.isSafeInteger(id) ? id : undefined
    })
  },
  served(conversation, channelId) {
    own.served(conversation, channelId)
    void link.run(['SET', keyOf(conversation), String(channelId), 'PX', String(AFFINITY_MS)])
  },
})

const keyOf = (conversation: string): string =>
  `switchyard:served:${createHash('sha1').update(conversation).digest('base64url')}`
