import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { refuse } from '../../base/errors.ts'
import { createFairQueue, TooManyWaiting } from '../../base/fair-queue.ts'
import type { RequestScope } from '../store.ts'

/** Connections for single statements; transactions, which run one at a time, have another one. */
const STATEMENTS = 2
export const FAIR_CONNECTIONS = STATEMENTS + 1
const MAX_WAITING = 2000

/**
 * A pool whose connections go to accounts in turn, and only once it is their turn: a transaction that waits for others
 * holds no connection. The account is that of `scope`; work without one, such as background jobs, counts as one
 * account.
 */
export function createFairPool(pool: PostgresPool): Readonly<{ pool: PostgresPool; scope: RequestScope }> {
  const requests = new AsyncLocalStorage<{ accountId: number }>()
  const turns = { statement: createFairQueue(STATEMENTS, MAX_WAITING), transaction: createFairQueue(1, MAX_WAITING) }
  const open = async (kind: keyof typeof turns) => {
    const release = await turns[kind].take(requests.getStore()?.accountId ?? 0).catch((cause: unknown) => {
      throw cause instanceof TooManyWaiting ? refuse('limited', 'read.busy', {}, { retryAfterSeconds: 1 }) : cause
    })
    const client = await pool.connect().catch((cause: unknown) => {
      release()
      throw cause
    })
    return { client, release }
  }
  return {
    pool: {
      ...pool,
      options: pool.options,
      connect: async () => new WaitingClient(open) as unknown as PostgresPoolClient,
    },
    scope: {
      run: (work) => requests.run({ accountId: 0 }, work),
      setAccount(accountId) {
        const request = requests.getStore()
        if (request) request.accountId = accountId
      },
    },
  }
}

type Opened = Readonly<{ client: PostgresPoolClient; release: () => void }>

/**
 * A client (Kysely uses no cursors here) that gets its connection with its first statement, which shows whether a
 * transaction begins.
 */
class WaitingClient {
  readonly #open: (kind: 'statement' | 'transaction') => Promise<Opened>
  #opened: Opened | undefined

  constructor(open: (kind: 'statement' | 'transaction') => Promise<Opened>) {
    this.#open = open
  }

  async query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    this.#opened ??= await this.#open(/^(?:begin|start transaction)/.test(text) ? 'transaction' : 'statement')
    return this.#opened.client.query<R>(text, values)
  }

  release(isBroken?: boolean): void {
    this.#opened?.client.release(isBroken)
    this.#opened?.release()
    this.#opened = undefined
  }
}
