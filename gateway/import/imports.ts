import type { LimitFunction } from 'p-limit'
import type { SentFile } from '../../shared/api/call.ts'
import type { ImportChoices, ImportState, ImportTable } from '../../shared/api/import.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { encodeOption, type OptionKey } from '../../shared/options/index.ts'
import type { Vault } from '../base/ciphers.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { randomKey, sha256 } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { forgetFile, forgetFiles, type KeptFile, keepFile } from './kept-file.ts'
import { writeLogs } from './logs.ts'
import { hasWork, type ImportPlan } from './plan.ts'
import { type ReadFile, readImport } from './read-file.ts'
import { type SettingTold, settingsTold } from './settings-told.ts'
import { type WrittenImport, writePlan } from './write.ts'

/** Who asks; the account that imports. */
type Importer = Readonly<{ id: number; username: string }>

/** Imports from other gateways, one at a time: a file is taken, looked at, and, once confirmed, taken over (docs/operations.md#import). */
export interface Imports {
  state(locale: Locale): ImportState
  /** Takes a file in the place of the one before. Refuses while something is under way. */
  take(name: string, sent: SentFile): Promise<void>
  /** Starts a dry run in the background. */
  check(choices: ImportChoices, by: Importer): void
  /** Takes over, in the background, what the report with this id tells. */
  confirm(report: string, by: Importer): void
  /** Ends what is under way, as far as it can be ended, and removes the file. */
  cancel(): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

export type ImportsDeps = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  log: Logger
  settings: Pick<Settings, 'get' | 'defaultOf' | 'takeOver'>
  config: Readonly<{ DATA_DIR: string }>
  /** A verification of the ledger and an import never run at the same time. */
  inTurn: LimitFunction
  /** Called after the transaction, so that what is in memory follows. */
  onWritten: (written: WrittenImport, options: readonly OptionKey[]) => Promise<void>
}>

type Failure = Readonly<{ key: MessageKey; params: GatewayError['params'] }>
type Going = {
  stage: ImportState['stage']
  file?: KeptFile | undefined
  choices?: ImportChoices | undefined
  report?: Readonly<{ id: string; choices: ImportChoices; plan: Told }> | undefined
  result?: ImportState['result']
  progress?: ImportState['progress']
  failure?: Failure | undefined
  ending: AbortController
}
/** What a report tells of a plan; the plan itself, with its keys, is not kept. */
type Told = Pick<ImportPlan, 'origin' | 'counts' | 'remarks' | 'variables'> &
  Readonly<{ settings: readonly SettingTold[]; fingerprint: string }>

/** Rows of one table that are taken over beside a running relay: its charges wait in the journal for the transaction's end. */
const MAX_ROWS = 25_000
/** How long a file waits for somebody. */
const KEPT_MS = 3_600_000
const underWay: readonly ImportState['stage'][] = ['checking', 'writing', 'history']

/** Nothing under way at first; what an earlier process left is removed. */
export function createImports(deps: ImportsDeps): Imports {
  const folder = deps.config.DATA_DIR
  forgetFiles(folder)
  let one: Going = { stage: 'empty', ending: new AbortController() }
  let over: Promise<void> = Promise.resolve()
  let isTaking = false
  let expiry: NodeJS.Timeout | undefined
  // What became of it is told together with that: the next file may be taken as soon as this one is done.
  const drop = (outcome: Partial<Going> = {}) => {
    clearTimeout(expiry)
    if (one.file) forgetFile(one.file)
    one = { ...one, file: undefined, report: undefined, choices: undefined, ...outcome }
  }
  const wait = () => {
    clearTimeout(expiry)
    expiry = setTimeout(() => underWay.includes(one.stage) || drop(), KEPT_MS).unref()
  }
  const assertQuiet = () => {
    if (isTaking || underWay.includes(one.stage)) throw refuse('invalid', 'import.busy')
  }
  const inBackground = (work: () => Promise<void>) => {
    over = work()
      .catch((error) => drop({ stage: 'failed', failure: failureOf(error, one.ending.signal, deps.log) }))
      .finally(() => {
        one.progress = null
      })
  }
  return {
    state: (locale) => stateOf(one, locale),
    async take(name, sent) {
      assertQuiet()
      isTaking = true
      try {
        drop()
        one = { stage: 'empty', ending: new AbortController() }
        one.file = await keepFile(folder, name, sent)
        one.stage = 'ready'
        wait()
      } finally {
        isTaking = false
      }
    },
    check(choices, by) {
      assertQuiet()
      const { file } = one
      if (!file) throw refuse('invalid', 'import.no_file')
      wait()
      one = { stage: 'checking', file, choices, ending: new AbortController() }
      inBackground(async () => {
        const read = await readNow(deps, one, { file, choices, by })
        await read.close()
        one.report = { id: randomKey(24), choices, plan: toldOf(read.plan) }
        one.stage = 'checked'
      })
    },
    confirm(id, by) {
      assertQuiet()
      const { file, choices, report } = one
      if (!file || !choices || report?.id !== id) throw refuse('invalid', 'import.no_report')
      if (!hasWork(report.plan)) throw refuse('invalid', 'import.nothing')
      one.stage = 'writing'
      const asked = { file, choices, by, told: report.plan }
      inBackground(async () => drop({ stage: 'done', result: await carryOut(deps, one, asked) }))
    },
    async cancel() {
      one.ending.abort()
      await over
      if (isTaking) return
      drop()
      one = { stage: 'empty', ending: new AbortController() }
    },
    idle: () => over,
  }
}

type Asked = Readonly<{ file: KeptFile; choices: ImportChoices; by: Importer }>

const readNow = (deps: ImportsDeps, one: Going, { file, choices, by }: Asked): Promise<ReadFile> =>
  readImport(file.path, {
    db: deps.db,
    choices,
    importer: by.id,
    now: unixSeconds(deps.clock),
    options: optionsOf(deps.settings),
    maxRows: MAX_ROWS,
    onProgress: progressIn(one),
  })

/** What options say, as text. */
export const optionsOf = (settings: Pick<Settings, 'get' | 'defaultOf'>) => ({
  inForce: (key: OptionKey) => encodeOption(key, settings.get(key)),
  usual: settings.defaultOf,
})

const progressIn = (one: Going) => (table: ImportTable, done: number, total: number) => {
  one.ending.signal.throwIfAborted()
  one.progress = { table, done, total }
}

/** Reads the file again and writes it, unless that would be something else than was confirmed; what came of it. */
async function carryOut(
  deps: ImportsDeps,
  one: Going,
  asked: Asked & Readonly<{ told: Told }>,
): Promise<NonNullable<ImportState['result']>> {
  const { db, vault, clock, log, inTurn } = deps
  const read = await readNow(deps, one, asked)
  try {
    const { plan, database } = read
    if (fingerprintOf(plan) !== asked.told.fingerprint) throw refuse('invalid', 'import.changed')
    const by = { ...asked.by, fileName: asked.file.name }
    const write = () => writePlan(plan, { db, vault, clock, log, by, onProgress: progressIn(one) })
    const written = await inTurn(() => deps.settings.takeOver(plan.options, write))
    if (!written) throw refuse('invalid', 'import.changed')
    const options = plan.options.map(({ key }) => key)
    await deps.onWritten(written, options)
    let isWhole = true
    if (plan.logs.follow && database) {
      one.stage = 'history'
      isWhole = await history(deps, one, { plan, database, written })
    }
    return { tables: [...plan.counts], is_whole: isWhole }
  } finally {
    await read.close()
  }
}

/** What is written stays, whatever becomes of the log. */
async function history(
  { db, log }: ImportsDeps,
  one: Going,
  of: Required<Pick<ReadFile, 'plan'>> & { database: NonNullable<ReadFile['database']>; written: WrittenImport },
): Promise<boolean> {
  const onProgress = (done: number, total: number) => {
    one.progress = { table: 'logs', done, total }
  }
  try {
    return await writeLogs({ ...of, db, onProgress, signal: one.ending.signal })
  } catch (error) {
    log.error('the usage log of an import could not be taken over', { error })
    one.failure = { key: 'import.history_failed', params: {} }
    return false
  }
}

function toldOf(plan: ImportPlan): Told {
  const { origin, counts, remarks, variables, options } = plan
  return { origin, counts, remarks, variables, settings: settingsTold(options), fingerprint: fingerprintOf(plan) }
}

/** Of what a report tells and somebody confirms: how much comes, and each setting from what to what. */
const fingerprintOf = ({ counts, options }: ImportPlan): string => sha256(JSON.stringify([counts, options]))

function failureOf(error: unknown, signal: AbortSignal, log: Logger): Failure {
  if (signal.aborted) return { key: 'import.cancelled', params: {} }
  if (error instanceof GatewayError) return { key: error.key, params: error.params }
  log.error('an import failed', { error })
  return { key: 'import.failed', params: {} }
}

function stateOf({ stage, file, report, result = null, progress = null, failure }: Going, locale: Locale): ImportState {
  return {
    stage,
    file: file ? { name: file.name, size: file.size, origin: file.kind } : null,
    progress,
    report: report ? reportOf(report, locale) : null,
    result,
    error: failure ? formatMessage(locale, failure.key, failure.params) : '',
  }
}

function reportOf(
  { id, choices, plan }: NonNullable<Going['report']>,
  locale: Locale,
): NonNullable<ImportState['report']> {
  const { origin, counts, remarks, settings, variables } = plan
  const { secrets, ...told } = choices
  return {
    id,
    origin,
    choices: told,
    tables: [...counts],
    settings: [...settings],
    remarks: remarks.list.map(({ table, row, outcome, key, params }) => ({
      table,
      row,
      outcome,
      text: formatMessage(locale, key, params),
    })),
    remarks_total: remarks.total,
    variables: [...variables],
    is_ready: hasWork(plan),
  }
}
