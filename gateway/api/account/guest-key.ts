import { guestKey } from '../../../shared/api/guest-key.ts'
import { logType } from '../../../shared/enums.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import { createGuestKeys } from '../../accounts/tokens/guest-keys.ts'
import type { Tokens } from '../../accounts/tokens/tokens.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Devices } from '../../relay/admission/devices.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { type Served, serve } from '../serve.ts'

type GuestKeyApiDeps = Readonly<{
  tokens: Tokens
  devices: Pick<Devices, 'list'>
  auditLog: AuditLog
  clock: Clock
}>

/** Guest keys and the devices that called, for root (docs/reference/share-people.md). */
export function guestKeyApi({ tokens, devices, auditLog, clock }: GuestKeyApiDeps): Served[] {
  const keys = createGuestKeys({ tokens, clock })
  const note = (key: MessageKey, about: TokenNamed, actor: Actor, { locale }: ApiCaller) =>
    auditLog.record({
      user_id: about.userId,
      created_at: unixSeconds(clock),
      type: logType.manage,
      content: formatMessage(locale, key, { name: about.name, id: about.id }),
      other: JSON.stringify({ admin_info: { token: about.id, actor: { id: actor.id, username: actor.username } } }),
    })
  return serve(guestKey, {
    list: ({ actor, caller }) => keys.list(actor.id, caller.memory),
    async create({ body, actor, caller }) {
      const made = await keys.create(actor, body)
      note('log.guest_key', { ...made, userId: actor.id }, actor, caller)
      return made
    },
    async revoke({ params, actor, caller }) {
      const { id, name, user_id: userId } = await tokens.disable(params.id)
      note('log.token_revoked', { id, name, userId }, actor, caller)
      return null
    },
    devices: () =>
      devices.list().map(({ ip, username, tokenId, tokenName, client, lastAt, callsToday }) => ({
        address: ip,
        username,
        token_id: tokenId,
        key_name: tokenName,
        client,
        last_at: lastAt,
        calls_today: callsToday,
      })),
  })
}

type TokenNamed = Readonly<{ id: number; name: string; userId: number }>
