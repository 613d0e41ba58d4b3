import type { SentFile } from '../../shared/api/call.ts'
import type { ImportChoices, ImportState, ImportTable } from '../../shared/api/import.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { encodeOption, type OptionKey } from '../../shared/options/index.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { randomKey, sha256 } from '../base/ids.ts'
import type { InTurn } from '../base/in-turn.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import type { Settings } from '../settings/settings.ts'
import type { StoredOption } from '../store/options.ts'
import type { Db } from '../store/sqlite/database.ts'
import { forgetFile, forgetFiles, type ImportFile, storeFile } from './import-file.ts'
import { type ReportedSetting, reportedSettings } from './import-report-settings.ts'
import { writeLogs } from './logs.ts'
import { hasWork, type ImportPlan } from './plan.ts'
import { type ReadFile, readImport } from './read-file.ts'
import { type WrittenImport, writePlan } from './write.ts'

type Importer = Readonly<{ id: number; username: string }>

/**
 * Imports from other gateways, one at a time: a file is uploaded, checked, and imported once confirmed
 * (docs/operations.md#import).
 */
export interface Imports {
  state(locale: Locale): ImportState
  /** Stores an uploaded file, replacing the previous one. Throws if an import is in progress. */
  take(name: string, sent: SentFile): Promise<void>
  check(choices: ImportChoices, by: Importer): void
  /** Imports, in the background, what the report with this id lists. */
  confirm(report: string, by: Importer): void
  /** Aborts what is in progress, as far as possible, and deletes the file. */
  cancel(): Promise<void>
  idle(): Promise<void>
}

export type ImportsDeps = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  log: Logger
  settings: Pick<Settings, 'get' | 'defaultOf' | 'takeOver'>
  config: Readonly<{ DATA_DIR: string }>
  /** Serializes ledger checks, clean-ups and imports. */
  inTurn: InTurn
  /** Called after the transaction, to update state in memory. */
  onWritten: (written: WrittenImport, options: readonly OptionKey[]) => Promise<void>
}>

type Failure = Readonly<{ key: MessageKey; params: GatewayError['params'] }>
type CurrentImport = {
  stage: ImportState['stage']
  file?: ImportFile | undefined
  choices?: ImportChoices | undefined
  report?: Readonly<{ id: string; choices: ImportChoices; plan: PlanReport }> | undefined
  result?: ImportState['result']
  progress?: ImportState['progress']
  failure?: Failure | undefined
  ending: AbortController
}
/** The reported part of a plan; the plan itself, with its keys, is not retained. */
type PlanReport = Pick<ImportPlan, 'origin' | 'counts' | 'remarks' | 'variables'> &
  Readonly<{ settings: readonly ReportedSetting[]; fingerprint: string }>

/** Max rows per table next to a running relay: its charges wait in the journal until the transaction ends. */
const MAX_ROWS = 25_000
const FILE_TTL_MS = 3_600_000
const activeStages: readonly ImportState['stage'][] = ['checking', 'writing', 'history']

/** Initially idle; deletes files left by an earlier process. */
export function createImports(deps: ImportsDeps): Imports {
  const folder = deps.config.DATA_DIR
  forgetFiles(folder)
  let current: CurrentImport = { stage: 'empty', ending: new AbortController() }
  let running: Promise<void> = Promise.resolve()
  let isUploading = false
  let expiry: NodeJS.Timeout | undefined
  // Sets the outcome together with dropping the file: the next file may be uploaded as soon as this import is done.
  const drop = (outcome: Partial<CurrentImport> = {}) => {
    clearTimeout(expiry)
    if (current.file) forgetFile(current.file)
    current = { ...current, file: undefined, report: undefined, choices: undefined, ...outcome }
  }
  const restartExpiry = () => {
    clearTimeout(expiry)
    expiry = setTimeout(() => activeStages.includes(current.stage) || drop(), FILE_TTL_MS).unref()
  }
  const assertIdle = () => {
    if (isUploading || activeStages.includes(current.stage)) throw refuse('invalid', 'import.busy')
  }
  const inBackground = (work: () => Promise<void>) => {
    running = work()
      .catch((error) => drop({ stage: 'failed', failure: failureOf(error, current.ending.signal, deps.log) }))
      .finally(() => {
        current.progress = null
      })
  }
  return {
    state: (locale) => stateOf(current, locale),
    async take(name, sent) {
      assertIdle()
      isUploading = true
      try {
        drop()
        current = { stage: 'empty', ending: new AbortController() }
        current.file = await storeFile(folder, name, sent)
        current.stage = 'ready'
        restartExpiry()
      } finally {
        isUploading = false
      }
    },
    check(choices, by) {
      assertIdle()
      const { file } = current
      if (!file) throw refuse('invalid', 'import.no_file')
      restartExpiry()
      current = { stage: 'checking', file, choices, ending: new AbortController() }
      inBackground(async () => {
        const read = await readNow(deps, current, { file, choices, by })
        await read.close()
        current.report = { id: randomKey(24), choices, plan: planReportOf(read.plan) }
        current.stage = 'checked'
      })
    },
    confirm(id, by) {
      assertIdle()
      const { file, choices, report } = current
      if (!file || !choices || report?.id !== id) throw refuse('invalid', 'import.no_report')
      if (!hasWork(report.plan)) throw refuse('invalid', 'import.nothing')
      current.stage = 'writing'
      const request = { file, choices, by, confirmed: report.plan }
      inBackground(async () => drop({ stage: 'done', result: await writeImport(deps, current, request) }))
    },
    async cancel() {
      current.ending.abort()
      await running
      if (isUploading) return
      drop()
      current = { stage: 'empty', ending: new AbortController() }
    },
    idle: () => running,
  }
}

type ImportRequest = Readonly<{ file: ImportFile; choices: ImportChoices; by: Importer }>

const readNow = (deps: ImportsDeps, current: CurrentImport, { file, choices, by }: ImportRequest): Promise<ReadFile> =>
  readImport(file.path, {
    db: deps.db,
    choices,
    importer: by.id,
    now: unixSeconds(deps.clock),
    options: optionsOf(deps.settings),
    maxRows: MAX_ROWS,
    onProgress: progressIn(current),
  })

export const optionsOf = (settings: Pick<Settings, 'get' | 'defaultOf'>) => ({
  inForce: (key: OptionKey) => encodeOption(key, settings.get(key)),
  usual: settings.defaultOf,
})

const progressIn = (current: CurrentImport) => (table: ImportTable, done: number, total: number) => {
  current.ending.signal.throwIfAborted()
  current.progress = { table, done, total }
}

/** Reads the file again and writes it, unless the result would differ from what was confirmed. */
async function writeImport(
  deps: ImportsDeps,
  current: CurrentImport,
  request: ImportRequest & Readonly<{ confirmed: PlanReport }>,
): Promise<NonNullable<ImportState['result']>> {
  const { db, vault, clock, log, inTurn } = deps
  const read = await readNow(deps, current, request)
  try {
    const { plan, database } = read
    if (fingerprintOf(plan) !== request.confirmed.fingerprint) throw refuse('invalid', 'import.changed')
    const by = { ...request.by, fileName: request.file.name }
    const onProgress = progressIn(current)
    const write = (options: readonly StoredOption[]) =>
      writePlan(plan, { db, vault, clock, log, by, options, onProgress })
    const written = await inTurn(() => deps.settings.takeOver(plan.options, write), current.ending.signal)
    if (!written) throw refuse('invalid', 'import.changed')
    const options = plan.options.map(({ key }) => key)
    await deps.onWritten(written, options)
    let isWhole = true
    if (plan.logs.follow && database) {
      current.stage = 'history'
      isWhole = await history(deps, current, { plan, database, written })
    }
    return { tables: [...plan.counts], is_whole: isWhole }
  } finally {
    await read.close()
  }
}

/** Imports the usage log; the data already written remains even if this fails. */
async function history(
  { db, log }: ImportsDeps,
  current: CurrentImport,
  of: Required<Pick<ReadFile, 'plan'>> & { database: NonNullable<ReadFile['database']>; written: WrittenImport },
): Promise<boolean> {
  const onProgress = (done: number, total: number) => {
    current.progress = { table: 'logs', done, total }
  }
  try {
    return await writeLogs({ ...of, db, onProgress, signal: current.ending.signal })
  } catch (error) {
    log.error('the usage log of an import could not be taken over', { error })
    current.failure = { key: 'import.history_failed', params: {} }
    return false
  }
}

function planReportOf(plan: ImportPlan): PlanReport {
  const { origin, counts, remarks, variables, options } = plan
  return { origin, counts, remarks, variables, settings: reportedSettings(options), fingerprint: fingerprintOf(plan) }
}

/** Fingerprint of what the user confirms: the counts, and every setting before and after. */
const fingerprintOf = ({ counts, options }: ImportPlan): string => sha256(JSON.stringify([counts, options]))

function failureOf(error: unknown, signal: AbortSignal, log: Logger): Failure {
  if (signal.aborted) return { key: 'import.cancelled', params: {} }
  if (error instanceof GatewayError) return { key: error.key, params: error.params }
  log.error('an import failed', { error })
  return { key: 'import.failed', params: {} }
}

function stateOf(
  { stage, file, report, result = null, progress = null, failure }: CurrentImport,
  locale: Locale,
): ImportState {
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
  { id, choices, plan }: NonNullable<CurrentImport['report']>,
  locale: Locale,
): NonNullable<ImportState['report']> {
  const { origin, counts, remarks, settings, variables } = plan
  const { secrets, ...shown } = choices
  return {
    id,
    origin,
    choices: shown,
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
