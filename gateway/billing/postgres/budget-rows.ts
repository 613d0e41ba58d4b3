import type { SharedBudgets } from '../../shared-state/shared-budgets.ts'
import type { Connections } from '../../store/postgres/connections.ts'
import type { Membership } from './membership.ts'

const PUBLISH = 'select * from publish_budget($1, $2, $3, $4, $5)'
const FINAL = 'select final_ledger_id() as id'
const REMOVE = 'delete from budget_holds where node = $1'

type PublishedRow = Readonly<{
  others: number
  row_id: number | null
  request_id: string
  charged_at: number
  quota: number
}>

/** The budgets that this node shares, until `close`. Call `open` once the charges of its last run are written. */
export function createBudgetRows(
  { named }: Connections,
  member: Membership,
  monotonic: () => number,
): SharedBudgets & Readonly<{ open(): Promise<void>; close(): Promise<void> }> {
  let isClosed = false
  /**
   * The publications that `close` waits for: one that arrived after the rows were removed would count until the next
   * start.
   */
  const running = new Set<Promise<unknown>>()
  let final: Promise<number> | undefined
  let finalMs = 0
  const remove = async () => {
    await named('remove_budgets', REMOVE, [member.node])
  }
  const readFinal = async () => {
    const [row] = await named<{ id: number }>('final', FINAL, [])
    return row?.id ?? 0
  }
  return {
    get isClosed() {
      return isClosed
    },
    async publish(tokenId, quota, afterRow) {
      if (isClosed) throw new Error('this node has stopped')
      const values = [member.node, member.epoch, tokenId, quota, afterRow]
      const publishing = named<PublishedRow>('publish_budget', PUBLISH, values)
      running.add(publishing)
      const rows = await publishing.finally(() => running.delete(publishing))
      return {
        others: rows[0]?.others ?? 0,
        charges: rows.flatMap(({ row_id: id, request_id: requestId, charged_at: at, quota }) =>
          id === null ? [] : [{ id, requestId, at, quota }],
        ),
      }
    },
    finalRow(maxAgeMs) {
      const nowMs = monotonic()
      if (!final || nowMs - finalMs >= maxAgeMs) {
        finalMs = nowMs
        const reading = readFinal()
        final = reading
        reading.catch(() => {
          if (final === reading) final = undefined
        })
      }
      return final
    },
    open: remove,
    async close() {
      isClosed = true
      await Promise.allSettled(running)
      await remove()
    },
  }
}
