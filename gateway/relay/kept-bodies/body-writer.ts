import type { Logger } from '../../base/log/logger.ts'
import { breathe } from '../../base/pace.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { keptBodyStore } from '../../store/requests/kept-bodies.ts'
import type { CopyRoom } from './body-copy.ts'
import { type CopiedCall, sealedRow } from './sealed-bodies.ts'

/** Writes bodies behind the calls they belong to, one call at a time, and keeps what all take within its bound. */
export interface BodyWriter {
  /** Whether one more may wait. */
  takes(): boolean
  add(call: CopiedCall): void
  /** Until everything that waits is written, or could not be. */
  flush(): Promise<void>
  /** Removes the oldest until there is no more than may be; answers of how many calls. */
  makeRoom(signal: AbortSignal): Promise<number>
  /** Something else than this has removed rows. */
  recount(): void
  /** Writes what waits and ends the timer. */
  stop(): Promise<void>
}

type BodyWriterDeps = Readonly<{
  store: Pick<ReturnType<typeof keptBodyStore>, 'add' | 'removeBytes'>
  /** The bytes of all rows, counted away from this thread. */
  sum: (signal: AbortSignal) => Promise<number>
  room: CopyRoom
  vault: Vault
  settings: Pick<Settings, 'get'>
  log: Logger
}>

/** Calls that wait; of further ones nothing is kept. */
const MAX_WAITING = 2000
const WRITE_MS = 200
const MEBIBYTE = 1024 * 1024
/** Rows that one statement removes. */
const MAX_AT_ONCE = 200

/** A writer with nothing to do. A disk that takes no writes costs the bodies alone: each is tried once. */
export function createBodyWriter({ store, sum, room, vault, settings, log }: BodyWriterDeps): BodyWriter {
  const waiting: CopiedCall[] = []
  const end = new AbortController()
  const max = () => settings.get('KeepBodiesSize') * MEBIBYTE
  let total: number | undefined
  const makeRoom = async (signal: AbortSignal): Promise<number> => {
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
      await makeRoom(end.signal)
    } catch (error) {
      log.warn('bodies could not be kept', { requestId: call.facts.request_id, error })
    } finally {
      room.held -= call.request.bytes.length + call.answer.bytes.length
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
    makeRoom,
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
