import type { Logger } from '../../base/log/logger.ts'
import { breathe } from '../../base/pace.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { keptBodyStore } from '../../store/requests/kept-bodies.ts'
import type { CopyBudget } from './body-copy.ts'
import { type CopiedCall, sealedRow } from './sealed-bodies.ts'

/** Writes bodies after their calls, one call at a time, and keeps their total size within the limit. */
export interface BodyWriter {
  takes(): boolean
  add(call: CopiedCall): void
  /** Resolves once everything queued is written or has failed. */
  flush(): Promise<void>
  /** Deletes the oldest bodies over the size limit; returns the number of calls affected. */
  freeSpace(signal: AbortSignal): Promise<number>
  /** Call it when other code has deleted rows. */
  recount(): void
  stop(): Promise<void>
}

type BodyWriterDeps = Readonly<{
  store: Pick<ReturnType<typeof keptBodyStore>, 'add' | 'removeBytes'>
  /** The bytes of all rows, summed on another thread. */
  sum: (signal: AbortSignal) => Promise<number>
  budget: CopyBudget
  vault: Vault
  settings: Pick<Settings, 'get'>
  log: Logger
}>

/** Max calls in the queue; bodies of further ones are not stored. */
const MAX_WAITING = 2000
const WRITE_MS = 200
const MEBIBYTE = 1024 * 1024
const MAX_AT_ONCE = 200

/** If the disk rejects writes, only bodies are lost: each is tried once. */
export function createBodyWriter({ store, sum, budget: memory, vault, settings, log }: BodyWriterDeps): BodyWriter {
  const waiting: CopiedCall[] = []
  const end = new AbortController()
  const max = () => settings.get('KeepBodiesSize') * MEBIBYTE
  let total: number | undefined
  const deleteExcess = async (signal: AbortSignal): Promise<number> => {
    total ??= await sum(signal)
    let removed = 0
    while (total > max() && !signal.aborted) {
      const { calls, bytes } = await store.removeBytes(total - max(), MAX_AT_ONCE)
      if (calls === 0) break
      removed += calls
      total -= bytes
      await breathe()
    }
    return removed
  }
  const writeOne = async (call: CopiedCall) => {
    try {
      total ??= await sum(end.signal)
      const row = await sealedRow(vault, call, max())
      await store.add(row)
      total += row.bytes
      await deleteExcess(end.signal)
    } catch (error) {
      log.warn('bodies could not be stored', { requestId: call.facts.request_id, error })
    } finally {
      memory.stored -= call.request.bytes.length + call.answer.bytes.length
    }
  }
  const write = async () => {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      await writeOne(call)
      await breathe()
    }
  }
  let writing: Promise<void> = Promise.resolve()
  const flush = () => {
    writing = writing.then(write)
    return writing
  }
  let timer: NodeJS.Timeout | undefined
  return {
    takes: () => waiting.length < MAX_WAITING,
    add(call) {
      waiting.push(call)
      timer ??= setTimeout(() => {
        timer = undefined
        void flush()
      }, WRITE_MS).unref()
    },
    flush,
    freeSpace: deleteExcess,
    recount() {
      total = undefined
    },
    async stop() {
      clearTimeout(timer)
      await flush()
      end.abort()
    },
  }
}
