import {
  type ConnectClient,
  type ConnectSetting,
  namedBySessions,
  type PlainValue,
} from '../../shared/connect/client.ts'
import type { ConnectUndone } from '../../shared/connect/connect-protocol.ts'
import { digestOf, fileOf, fitting, isLink, readPersonal, removePersonal, type replacePersonal } from './disk.ts'
import { type ConnectChange, hasAny, isSamePath, withoutChanges, withSettings } from './edit.ts'
import type { ConnectRecord, RecordedFile } from './record.ts'

export type Recorded = Readonly<{ record: ConnectRecord; replace: typeof replacePersonal }>

/**
 * Reverts what was written into the files of a program (docs/reference/connect.md#undo). Throws `LeftAlone` without any
 * change if a file must not be changed; if writing one fails, the files before it are already reverted.
 */
export function undo(deps: Recorded, client: ConnectClient): ConnectUndone {
  const { record } = deps
  const files = record.of(client.id)
  const steps = files.map((file) => undoing(deps, file, client))
  for (const { run } of steps) run()
  record.keep(client.id, [])
  return {
    exact: steps.every(({ exact }) => exact),
    kept: steps.reduce((sum, { kept }) => sum + kept, 0),
    ...(steps.some(({ leavesProvider }) => leavesProvider) ? { leavesProvider: true } : {}),
  }
}

type Undoing = ConnectUndone & Readonly<{ run: () => void }>
const nothing = () => {}

function undoing({ record, replace }: Recorded, file: RecordedFile, client: ConnectClient): Undoing {
  const { path, format, backup, mode, folders, written, isMixed, changes } = file
  const restored = (bytes: Buffer) => () => void replace(path, bytes, mode)
  const now = readPersonal(path)
  const copy = backup === null ? null : record.backupOf(backup)
  if (!now) return { exact: backup === null || copy !== null, kept: 0, run: copy ? restored(copy) : nothing }
  // The user has restored the file, or the last undo did so before it failed at another file.
  if (copy?.equals(now.bytes)) return { exact: true, kept: 0, run: nothing }
  const left = leftOf(client, changes)
  const isOurs = digestOf(now.bytes) === written && !isMixed
  if (isOurs && backup === null && left.length === 0 && !isLink(path))
    return { exact: true, kept: 0, run: () => removePersonal(path, folders) }
  const back = firstWith(file, copy, left)
  const leaves = left.length > 0 ? { leavesProvider: true as const } : {}
  if (back?.equals(now.bytes)) return { exact: true, kept: 0, ...leaves, run: nothing }
  if (isOurs && back) return { exact: true, kept: 0, ...leaves, run: restored(back) }
  const removable = changes.filter(({ path: at }) => !left.some((setting) => isSamePath(setting.path, at)))
  const { text, kept } = fitting(path, () => withoutChanges(format, now.text, removable))
  const isThereStill = hasAny(format, text, left)
  const run = text === now.text ? nothing : restored(Buffer.from(now.mark + text))
  return { exact: false, kept, ...(isThereStill ? leaves : {}), run }
}

/** New values that sessions refer to: they stay, so that the sessions can still be opened. */
function leftOf(client: ConnectClient, changes: readonly ConnectChange[]): readonly ConnectSetting[] {
  const named = namedBySessions(client)
  return changes
    .filter(({ path, before }) => before === null && named.some((setting) => isSamePath(setting.path, path)))
    .map(({ path, value }) => ({ path, value: value as PlainValue })) // recorded values come from settings
}

/**
 * The file before the first change, with the values that stay; null if unknown, or if there was no file and nothing
 * stays.
 */
function firstWith({ path, format, backup }: RecordedFile, copy: Buffer | null, left: readonly ConnectSetting[]) {
  if (left.length === 0) return copy
  const first = copy ?? (backup === null ? Buffer.alloc(0) : null)
  const file = first && fileOf(first)
  if (!file) return null
  return Buffer.from(file.mark + fitting(path, () => withSettings(format, file.text, left)).text)
}
