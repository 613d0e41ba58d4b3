import { sql } from 'kysely'
import type { MovementKind } from '../../gateway/billing/ledger.ts'
import type { Calls, Scene } from './storm-calls.ts'
import { between, CROWD, isChanging } from './storm-crowd.ts'

const KINDS: readonly MovementKind[] = ['grant', 'admin', 'redeem', 'topup', 'invite', 'transfer']
const MAX_RUNNING = 12

/** All operations except relayed requests; a capital letter reports a start (`M`, `T`, `F`), the small one the end. */
export function createMovements({ ledger, random, say, life }: Scene, calls: Calls) {
  const running = new Set<Promise<void>>()
  const moved: string[] = []
  let born = 0
  const name = () => {
    born += 1
    return `${life}:${born}`
  }
  const run = (work: Promise<void>) => {
    const ending = work.finally(() => running.delete(ending))
    running.add(ending)
  }
  const move = async (id: string) => {
    const [userId, amount] = [between(random, 1, CROWD.users), between(random, -3000, 60_000)]
    const kind = KINDS[Number(id.split(':')[1]) % KINDS.length] ?? 'grant'
    const fails = random() < 0.1
    say(`M ${id} ${userId} ${amount}`)
    const together = async () => {
      if (fails) throw new Error('wanted')
    }
    try {
      await ledger.move({ kind, userId, amount, refType: kind, refId: id, together })
      moved.push(`${id} ${kind}`)
      say(`m ${id}`)
    } catch (error) {
      say(fails ? `q ${id}` : `! a movement failed: ${String(error)}`)
    }
  }
  const moveAgain = async () => {
    const [id = '', kind = ''] = moved[between(random, 0, moved.length - 1)]?.split(' ') ?? []
    const known = KINDS.find((one) => one === kind)
    if (!known) return
    const again = ledger.move({ kind: known, userId: 7, amount: 99, refType: known, refId: id })
    say(await again.then(() => `! ${id} was moved twice`).catch(() => 'd'))
  }
  const change = async (id: string, token: number) => {
    const delta = between(random, -5000, 40_000)
    const unlimited = random() < 0.5 ? random() < 0.5 : undefined
    const held = calls.busy
    held.add(token)
    say(`T ${id} ${token} ${delta}`)
    await ledger.changeToken({
      tokenId: token,
      delta,
      ...(unlimited === undefined ? {} : { unlimited }),
      together: async (transaction) => {
        await sql`insert into storm_changes (id, token, delta) values (${id}, ${token}, ${delta})`.execute(transaction)
      },
    })
    if (unlimited !== undefined) calls.unlimited.set(token, unlimited)
    held.delete(token)
    say(`t ${id}`)
  }
  return {
    note() {
      const id = name()
      ledger.auditLog.record({ user_id: between(random, 1, CROWD.users), created_at: 1, type: 5, request_id: id })
      say(`n ${id}`)
    },
    move() {
      if (running.size < MAX_RUNNING) run(random() < 0.05 ? moveAgain() : move(name()))
    },
    changeToken() {
      const token = between(random, 1, CROWD.tokens)
      if (running.size < MAX_RUNNING && isChanging(token) && !calls.busy.has(token)) run(change(name(), token))
    },
    flush() {
      if (running.size >= MAX_RUNNING) return
      const id = name()
      say(`F ${id}`)
      run(ledger.flush().then(() => say(`f ${id}`)))
    },
    /** Resolves once all started operations are done. */
    async settled() {
      await Promise.all([...running])
    },
  }
}
