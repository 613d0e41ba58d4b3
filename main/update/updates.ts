import type { Logger } from '../../gateway/base/log/logger.ts'
import type { Unavailable } from './availability.ts'
import type { FoundUpdate, Updater } from './updater.ts'

export type UpdateStep = 'check' | 'download' | 'backUp'

/** The state of an update. `message` is one line, from the program itself or from the party that refused the step. */
export type UpdateState =
  | Readonly<{ kind: 'idle' | 'checking' | 'newest' }>
  | Readonly<{ kind: 'unavailable'; why: Unavailable }>
  | Readonly<{ kind: 'found' | 'ready' | 'backingUp' | 'restarting'; update: FoundUpdate }>
  | Readonly<{ kind: 'downloading'; update: FoundUpdate; percent: number }>
  | Readonly<{ kind: 'failed'; step: UpdateStep; message: string; update?: FoundUpdate | undefined }>

/** The backup made before an update, and whether its balances matched. */
type MadeBackup = Readonly<{ name: string; isVerified: boolean }>

export type UpdatesDeps = Readonly<{
  updater: Updater
  /** Why updates are not possible; undefined if they are. */
  why: () => Promise<Unavailable | undefined>
  backUp: () => Promise<MadeBackup>
  /** Stores how to restore the current version; throws file system errors. */
  remember: (update: FoundUpdate, backup: string) => void
  /** Stops the gateway as quitting does, letting streams end, then runs the final step. */
  stopThen: (step: () => void) => void
  /** An error's message for users. */
  messageOf: (error: unknown) => string
  onChange: (state: UpdateState) => void
  log: Pick<Logger, 'info' | 'warn'>
}>

/**
 * An update in steps, each started by the user; the daily check may start the check, too. A step that is not possible
 * in the current state does nothing.
 */
interface Updates {
  state(): UpdateState
  /** Checks for a newer release and returns it if found; during another step, returns the release of that step. */
  check(): Promise<FoundUpdate | undefined>
  download(): Promise<void>
  /** Aborts a download, which can be started again. */
  cancel(): void
  /** Makes a verified backup, and only then restarts the program as the new release. */
  restartAndInstall(): Promise<void>
}

/** Downloads nothing before `download` is called. */
export function createUpdates(deps: UpdatesDeps): Updates {
  const { updater, backUp, remember, stopThen, messageOf, onChange, log } = deps
  let state: UpdateState = { kind: 'idle' }
  let fetching = new AbortController()
  const go = (next: UpdateState) => {
    state = next
    onChange(next)
  }
  const fail = (step: UpdateStep, error: unknown, update?: FoundUpdate) => {
    log.warn('an update failed', { step, error })
    go({ kind: 'failed', step, message: messageOf(error), update })
  }
  return {
    state: () => state,
    async check() {
      if (isBusy(state)) return 'update' in state ? state.update : undefined
      go({ kind: 'checking' })
      try {
        const why = await deps.why()
        if (why) {
          go({ kind: 'unavailable', why })
          return undefined
        }
        const update = await updater.check()
        go(update ? { kind: 'found', update } : { kind: 'newest' })
        return update
      } catch (error) {
        fail('check', error)
        return undefined
      }
    },
    async download() {
      const update = updateIn(state)
      if (!update || !(state.kind === 'found' || hasFailed(state, 'download'))) return
      go({ kind: 'downloading', update, percent: 0 })
      fetching = new AbortController()
      const { signal } = fetching
      try {
        await updater.download((percent) => {
          if (state.kind === 'downloading' && percent > state.percent) go({ kind: 'downloading', update, percent })
        }, signal)
        go({ kind: 'ready', update })
      } catch (error) {
        if (signal.aborted) go({ kind: 'found', update })
        else fail('download', error, update)
      }
    },
    cancel() {
      if (state.kind === 'downloading') fetching.abort()
    },
    async restartAndInstall() {
      const update = updateIn(state)
      if (!update || !(state.kind === 'ready' || hasFailed(state, 'backUp'))) return
      go({ kind: 'backingUp', update })
      try {
        const { name, isVerified } = await backUp()
        if (!isVerified) throw new Error(`the balances in the backup ${name} differ from their ledger`)
        remember(update, name)
      } catch (error) {
        return fail('backUp', error, update)
      }
      go({ kind: 'restarting', update })
      stopThen(() => updater.install())
    },
  }
}

/** Whether a check would lose a running step or a pending installation. */
const isBusy = ({ kind }: UpdateState): boolean => !['idle', 'newest', 'found', 'failed', 'unavailable'].includes(kind)

const hasFailed = (state: UpdateState, step: UpdateStep) => state.kind === 'failed' && state.step === step

const updateIn = (state: UpdateState): FoundUpdate | undefined => ('update' in state ? state.update : undefined)
