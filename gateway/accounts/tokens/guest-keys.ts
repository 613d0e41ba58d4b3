import type { GuestKeyFields, GuestKeyView } from '../../../shared/api/guest-key.ts'
import { newToken, type TokenView } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { ReadMemory } from '../../base/row-steps.ts'
import { hasExpired, isExhausted, type TokenOwner } from './token-fields.ts'
import type { Tokens } from './tokens.ts'

/** Keys for people on the local network, created in one step (docs/reference/share-people.md#guest-keys). */
interface GuestKeys {
  list(ownerId: number, memory: ReadMemory): Promise<GuestKeyView[]>
  /** The only call that returns the full key. */
  create(owner: TokenOwner, fields: GuestKeyFields): Promise<GuestKeyView & { key: string }>
}

type GuestKeysDeps = Readonly<{ tokens: Pick<Tokens, 'createGuest' | 'guests'>; clock: Clock }>

export function createGuestKeys({ tokens, clock }: GuestKeysDeps): GuestKeys {
  const view = (token: TokenView) => viewOf(token, unixSeconds(clock))
  return {
    list: async (ownerId, memory) => (await tokens.guests(ownerId, memory)).map(view),
    async create(owner, { name, group, models, quota, expires_at }) {
      const fields = newToken.parse({
        name,
        group,
        remain_quota: quota,
        expired_time: expires_at,
        model_limits_enabled: models.length > 0,
        model_limits: models.join(','),
      })
      const token = await tokens.createGuest(owner, fields)
      return { ...view(token), key: `sk-${token.key}` }
    },
  }
}

const viewOf = (token: TokenView, now: number): GuestKeyView => ({
  id: token.id,
  name: token.name,
  state: stateOf(token, now),
  masked_key: `sk-${token.key.slice(0, 4)}…${token.key.slice(-4)}`,
  group: token.group,
  models: token.model_limits_enabled ? token.model_limits.split(',').filter(Boolean) : [],
  remain_quota: token.remain_quota,
  used_quota: token.used_quota,
  created_at: token.created_time,
  expires_at: token.expired_time,
  last_used_at: token.accessed_time,
})

function stateOf({ status, expired_time, remain_quota }: TokenView, now: number): GuestKeyView['state'] {
  if (status === tokenStatus.disabled) return 'revoked'
  if (status === tokenStatus.expired || hasExpired(expired_time, now)) return 'expired'
  return status === tokenStatus.exhausted || isExhausted(remain_quota, false) ? 'used_up' : 'active'
}
