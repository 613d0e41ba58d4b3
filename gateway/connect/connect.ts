import type { ConnectClient, ConnectFile, ConnectSetting, ConnectTarget } from '../../shared/connect/client.ts'
import type { ConnectPlan, ConnectStatus, ConnectUndone } from '../../shared/connect/connect-protocol.ts'
import { locationOnDisk, type Machine } from './config-location.ts'
import { diffOf } from './diff.ts'
import {
  bytesOf,
  digestOf,
  fitting,
  isThere,
  LeftAlone,
  type PersonalFile,
  readPersonal,
  removePersonal,
  replacePersonal,
} from './disk.ts'
import { type ConnectChange, isSamePath, isSameValue, withSettings } from './edit.ts'
import { isOldAddress, movedSettings, writtenAddress } from './moved.ts'
import { type ConnectRecord, openRecord, type RecordedFile } from './record.ts'
import { listedSecrets, shownLines } from './shown.ts'
import { type Recorded, undo } from './undo.ts'

type ConnectDeps = Readonly<{
  machine: Machine
  dataFolder: string
  /** Replaces the disk in tests. */
  replace?: typeof replacePersonal
}>

/**
 * Writes settings into the files of local programs, and removes them again (docs/reference/connect.md). All methods
 * throw `LeftAlone`: for a file that must not be changed, before anything is written, and if writing fails.
 */
export interface ConnectWriter {
  plan(client: ConnectClient, target: ConnectTarget): ConnectPlan
  /**
   * Writes a plan; returns null when done, or a new plan if a file has changed since. `isGiven`: a user has named the
   * address, so that it never counts as an outdated one.
   */
  apply(client: ConnectClient, target: ConnectTarget, seal: string, isGiven?: boolean): ConnectPlan | null
  undo(client: ConnectClient): ConnectUndone
  /**
   * The changes that move a program from another address to this one: only the address, if no one has changed it since.
   */
  planMove(client: ConnectClient, address: string): ConnectPlan
  /** Writes a plan of `planMove`; returns null when done, or a new plan. */
  move(client: ConnectClient, address: string, seal: string, isGiven?: boolean): ConnectPlan | null
  /**
   * The state of a program; `isMoved` if its files still contain an earlier address of this gateway that no user has
   * named.
   */
  status(client: ConnectClient, address: string): ConnectStatus
}

export function createConnectWriter({ machine, dataFolder, replace = replacePersonal }: ConnectDeps): ConnectWriter {
  const record = openRecord(dataFolder)
  const found: Recorded = { record, replace }
  const drafts = (client: ConnectClient, target: ConnectTarget) =>
    (client.files ?? []).map((file) => draftOf(file, target, machine))
  return {
    plan: (client, target) => planOf(drafts(client, target), target),
    apply(client, target, seal, isGiven = false) {
      const drawn = drafts(client, target)
      const plan = planOf(drawn, target)
      if (plan.seal !== seal) return plan
      write(found, client.id, drawn, isGiven)
      return null
    },
    undo: (client) => undo(found, client),
    planMove: (client, address) => planOf(moves(record, client, address), noKey),
    move(client, address, seal, isGiven = false) {
      const drawn = moves(record, client, address)
      const plan = planOf(drawn, noKey)
      if (plan.seal !== seal) return plan
      write(found, client.id, drawn, isGiven)
      return null
    },
    status(client, address) {
      const files = record.of(client.id)
      const paths = files.length > 0 ? files.map(({ path }) => path) : pathsOf(client, machine)
      const isChanged = files.some(({ path, written }) => digestOf(bytesOf(path)) !== written)
      const written = writtenAddress(client, files)
      const isMoved =
        isOldAddress(written, address) &&
        !files.some(({ isGiven }) => isGiven) &&
        hasOtherAddress(record, client, address)
      return { isSetUp: files.length > 0, isChanged, paths, address: written, isMoved }
    },
  }
}

type Draft = Readonly<{
  path: string
  format: ConnectFile['format']
  before: PersonalFile | null
  after: Buffer
  afterText: string
  changes: readonly ConnectChange[]
}>

function draftOf(file: ConnectFile, target: ConnectTarget, machine: Machine): Draft {
  const path = pathOf(file, machine)
  const before = readPersonal(path)
  const settings = [...(before ? [] : (file.begins ?? [])), ...file.settings(target)]
  const { text, changes } = fitting(path, () => withSettings(file.format, before?.text ?? '', settings))
  const after = Buffer.from((before?.mark ?? '') + text)
  return { path, format: file.format, before, after, afterText: text, changes }
}

/**
 * A move has no key to mask: keys are masked by the names of their settings, and no other rewritten setting contains a
 * key.
 */
const noKey = { key: '' }

/** The program's files with another address in our values; skips files that are missing or were changed since. */
function moves(record: ConnectRecord, client: ConnectClient, address: string): Draft[] {
  return record.of(client.id).flatMap((file) => {
    const { path, format } = file
    const before = readPersonal(path)
    if (!before) return []
    const isOurs = ({ now }: { now: ConnectSetting }) =>
      fitting(path, () => withSettings(format, before.text, [now])).changes.length === 0
    const settings = movedSettings(client, file, address)
      .filter(isOurs)
      .map(({ next }) => next)
    const { text, changes } = fitting(path, () => withSettings(format, before.text, settings))
    return [{ path, format, before, after: Buffer.from(before.mark + text), afterText: text, changes }]
  })
}

/** Whether the program's files still contain another address; true if an existing one cannot be read. */
function hasOtherAddress(record: ConnectRecord, client: ConnectClient, address: string): boolean {
  try {
    return moves(record, client, address).some(({ changes }) => changes.length > 0)
  } catch (error) {
    if (!(error instanceof LeftAlone)) throw error
    return bytesOf(error.path) !== null
  }
}

function pathOf(file: ConnectFile, machine: Machine): string {
  const found = locationOnDisk(file, machine, isThere)
  if ('path' in found) return found.path
  throw new LeftAlone(found.problem, '', found.detail)
}

/** The paths to write; empty if the program does not support this system, or its folder is unusable. */
function pathsOf({ files = [] }: ConnectClient, machine: Machine): string[] {
  return files.flatMap((file) => {
    const found = locationOnDisk(file, machine, isThere)
    return 'path' in found ? [found.path] : []
  })
}

/** The seal covers the bytes that were read and those to be written, so that only these changes are written with it. */
function planOf(drafts: readonly Draft[], { key }: Pick<ConnectTarget, 'key'>): ConnectPlan {
  const changed = drafts.filter(({ changes }) => changes.length > 0)
  const linesOf = (before: string, after: string) =>
    shownLines(diffOf(before, after), [...(key === '' ? [] : [key]), ...listedSecrets(before), ...listedSecrets(after)])
  return {
    files: changed.map(({ path, before, afterText }) => ({
      path,
      isNew: before === null,
      lines: linesOf(before?.text ?? '', afterText),
    })),
    seal: digestOf(
      Buffer.from(
        JSON.stringify(drafts.map(({ path, before, after }) => [path, digestOf(before?.bytes), digestOf(after)])),
      ),
    ),
  }
}

/**
 * Writes the copies first, then the record, then the files: if interrupted, the record has both states of each file. If
 * a file fails, the earlier ones are reverted; one that cannot be reverted stays in the record.
 */
function write({ record, replace }: Recorded, client: string, drafts: readonly Draft[], isGiven: boolean): void {
  const known = record.of(client)
  const changed = drafts.filter(({ changes }) => changes.length > 0)
  const unchanged = known.filter(({ path }) => !changed.some((draft) => draft.path === path))
  const recorded = changed.map((draft) => entryFor(record, client, draft, known))
  const given = (file: RecordedFile) => ({ ...file, isGiven })
  const pending = recorded.map((file) => ({
    ...given(file),
    earlier: known.find(({ path }) => path === file.path) ?? null,
  }))
  record.keep(client, [...unchanged.map(given), ...pending])
  const done: Draft[] = []
  try {
    for (const [at, draft] of changed.entries()) {
      if (digestOf(bytesOf(draft.path)) !== digestOf(draft.before?.bytes))
        throw new LeftAlone('disk', draft.path, 'changed')
      const folders = replace(draft.path, draft.after)
      const entry = recorded[at]
      if (entry && folders.length > 0) recorded[at] = { ...entry, folders: [...folders] }
      done.push(draft)
    }
  } catch (error) {
    const written = done.filter((draft) => !isReverted(draft, recorded))
    const keepsNew = ({ path }: RecordedFile) => written.some((draft) => draft.path === path)
    record.keep(client, [...known.filter((file) => !keepsNew(file)), ...recorded.filter(keepsNew).map(given)])
    throw error
  }
  record.keep(client, [...unchanged, ...recorded].map(given))
}

/** Puts back what a draft replaced; false if that fails. */
function isReverted({ path, before }: Draft, recorded: readonly RecordedFile[]): boolean {
  try {
    if (before) replacePersonal(path, before.bytes, before.mode)
    else removePersonal(path, recorded.find((entry) => entry.path === path)?.folders ?? [])
    return true
  } catch (error) {
    if (error instanceof LeftAlone) return false
    throw error
  }
}

/** The undo information of a draft: the copy from before the first change, and the previous value of each setting. */
function entryFor(record: ConnectRecord, client: string, draft: Draft, known: readonly RecordedFile[]): RecordedFile {
  const { path, format, before, after, changes } = draft
  const earlier = known.find((file) => file.path === path)
  if (!earlier)
    return {
      path,
      format,
      backup: before ? record.backUp(client, path, before.bytes) : null,
      ...(before ? { mode: before.mode } : {}),
      folders: [],
      written: digestOf(after),
      isMixed: false,
      changes: [...changes],
    }
  const isSame = (one: ConnectChange) => (other: ConnectChange) => isSamePath(one.path, other.path)
  // If one of our values replaces another, the value before the first is restored. If someone else set a value in
  // between, that value is restored instead.
  const carried = earlier.changes.map((old) => {
    const now = changes.find(isSame(old))
    if (!now) return old
    return isSameValue(now.was, old.value) ? { ...old, value: now.value } : now
  })
  return {
    ...earlier,
    written: digestOf(after),
    isMixed: earlier.isMixed || digestOf(before?.bytes) !== earlier.written,
    changes: [...carried, ...changes.filter((one) => !earlier.changes.some(isSame(one)))],
  }
}
