import type { Charge, Hold } from '../../gateway/billing/ledger.ts'
import type { SqliteLedger } from '../../gateway/billing/sqlite-ledger.ts'
import type { OpenDatabase } from '../../gateway/store/sqlite/database.ts'
import { between, CROWD, isChanging, ownerOf } from './storm-crowd.ts'

/** The context of a storm's operations: the ledger, its randomness and its output. */
export type Scene = Readonly<{
  database: OpenDatabase
  ledger: SqliteLedger
  random: () => number
  say: (line: string) => void
  /** Part of every name, so that no two lives use the same one. */
  life: string
}>

/** A held call that is still open. Its checkpoint number n charges n times `step`, its end `final`. */
export type Call = {
  readonly id: string
  readonly user: number
  readonly token: number
  readonly channel: number
  readonly step: number
  readonly final: number
  checkpoints: number
  isCharged: boolean
  readonly hold: Hold
}

const MAX_OPEN = 500
const AT = 1_700_000_000
/** More than a row of the ledger can hold. */
const ABSURD = 5_000_000_000_000

/** Relayed requests: held, checkpointed, settled or released; reported as `h`, `x` (refused), `c`, `s`, `r`, `d`. */
export function createCalls({ database, ledger, random, say, life }: Scene) {
  const open: Call[] = []
  const closed: Call[] = []
  const unlimited = unlimitedIn(database)
  /** Tokens whose limit is being changed; a charge now could be before or after it. */
  const busy = new Set<number>()
  let born = 0

  const tryHold = (id: string, user: number, token: number, quota: number): Hold | undefined => {
    try {
      return ledger.hold({ requestId: id, userId: user, tokenId: token, quota })
    } catch {
      return undefined
    }
  }
  const begin = (final: number) => {
    born += 1
    const token = random() < 0.1 ? 0 : between(random, 1, CROWD.tokens)
    const user = token === 0 ? between(random, 1, CROWD.users) : ownerOf(token)
    const channel = between(random, 1, CROWD.channels)
    const id = `${life}-${born}`
    const hold = tryHold(id, user, token, between(random, 0, 3000))
    if (!hold) return say('x')
    const call = {
      id,
      user,
      token,
      channel,
      step: between(random, 1, 300),
      final,
      checkpoints: 0,
      isCharged: false,
      hold,
    }
    say(`h ${id} ${user} ${token} ${channel} ${call.step} ${final}`)
    open.push(call)
    return call
  }
  const chargeOf = (call: Call, quota: number) => chargeFor(call, quota, unlimited.get(call.token) === false)
  const settle = (call: Call) => {
    call.hold.settle(chargeOf(call, call.final))
    call.isCharged = true
    say(`s ${call.id}`)
  }
  const release = (call: Call) => {
    call.hold.release()
    call.isCharged = call.checkpoints > 0
    say(`r ${call.id}`)
  }
  const end = (call: Call) => {
    open.splice(open.indexOf(call), 1)
    closed.push(call)
    if (closed.length > 200) closed.shift()
    // A release charges the last checkpoint, whose row contains the limit of that time: not allowed where limits
    // change.
    const mayRelease = call.checkpoints === 0 || !isChanging(call.token)
    if (mayRelease && random() < 0.25) release(call)
    else settle(call)
  }
  const pick = (calls: readonly Call[]): Call | undefined => {
    const call = calls[between(random, 0, calls.length - 1)]
    return call && !busy.has(call.token) ? call : undefined
  }
  return {
    open,
    busy,
    unlimited,
    tryHold,
    hold() {
      if (open.length < MAX_OPEN) begin(random() < 0.05 ? 0 : between(random, 1, 4000))
    },
    checkpoint() {
      const call = pick(open)
      if (!call) return
      if (random() < 0.3) call.hold.extend(between(random, 1, 2000), 1)
      call.hold.checkpoint(chargeOf(call, (call.checkpoints + 1) * call.step))
      call.checkpoints += 1
      say(`c ${call.id}`)
    },
    close() {
      const call = pick(open)
      if (call) end(call)
    },
    /** Closes a closed hold again, which does nothing. */
    closeAgain() {
      const call = pick(closed)
      if (!call) return
      if (random() < 0.5) call.hold.settle(chargeOf(call, call.final + 11))
      else call.hold.release()
      call.hold.checkpoint(chargeOf(call, 1))
      say(`d ${call.id}`)
    },
    /** A second request with the id of a charged one is not charged. */
    sameIdAgain() {
      const call = pick(closed)
      if (!call?.isCharged) return
      const hold = tryHold(call.id, call.user, call.token, 1)
      hold?.settle(chargeOf(call, call.final + 7))
      say(`d ${call.id}`)
    },
    absurd() {
      const call = begin(ABSURD)
      if (!call) return
      open.pop()
      settle(call)
    },
    closeAll() {
      for (const call of [...open]) end(call)
    },
  }
}
export type Calls = ReturnType<typeof createCalls>

/** The charge of a call, whose log row records whether its token was limited at that moment. */
const chargeFor = (call: Call, quota: number, isLimited: boolean): Charge => ({
  quota,
  channelId: call.channel,
  at: AT,
  log: {
    user_id: call.user,
    created_at: AT,
    type: 2,
    quota,
    token_id: call.token,
    channel_id: call.channel,
    request_id: call.id,
    other: isLimited ? 'limited' : '',
  },
})

/** Tokens without a limit. */
function unlimitedIn({ reader }: OpenDatabase): Map<number, boolean> {
  const rows = reader.prepare('select id, unlimited_quota as free from tokens').all() as { id: number; free: number }[]
  return new Map(rows.map(({ id, free }) => [id, free === 1]))
}
