import { useState } from 'react'
import { type OptionConflict, option } from '../../../../shared/api/option.ts'
import { isOptionKey, type OptionKey } from '../../../../shared/options/index.ts'
import type { OptionRefusal } from '../../../../shared/options/wire.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { problemIn } from '../../../components/json-field/json-field.tsx'
import { clearToasts, showWarning } from '../../../components/toasts.ts'
import { type Translate, useTranslation } from '../../../translation.ts'
import { type Change, conflictsOf, type PutOptions, type SaveOutcome, saveOptions } from './save-options.ts'
import { type Drafts, useDrafts } from './use-drafts.ts'
import { useNoteSaved, useOutcome } from './use-outcome.ts'

/** What a field of one setting needs to know. */
export type BoundOption = Readonly<{
  option: OptionKey
  /** As it is typed. Of a secret: what replaces the stored one; empty while it stays. */
  value: string
  onValue: (value: string) => void
  /** The field was left: what is wrong with it may be told from now on. */
  onLeave: () => void
  /** What is wrong with it, in words. */
  error: string | undefined
  /** Of a secret: the stored value goes when the form is saved. */
  isRemoved: boolean
  /** Of a secret: have the stored value removed, or keep it after all. */
  onRemove: (isRemoved: boolean) => void
  /** It was set back to its default: what was typed for it counts no more. */
  onReset?: () => void
}>

/** A form over some settings: what is typed, what is wrong with it, and how it is saved. */
export type OptionForm = Readonly<{
  keys: readonly OptionKey[]
  /** Those whose value is another than the stored one. */
  changed: readonly OptionKey[]
  isSaving: boolean
  bind: (key: OptionKey) => BoundOption
  textOf: (key: OptionKey) => string
  type: (key: OptionKey, text: string) => void
  /** Saves what is changed; resolves to whether all of it is stored now. It tells the person what came of it. */
  save: () => Promise<boolean>
  /** Forgets what was typed. */
  discard: () => void
  /** What somebody else has stored since the person began to change it; the save of these is to be decided. */
  conflicts: readonly OptionConflict[]
  /** What the person entered for them, as it would be stored. */
  mine: ReadonlyMap<string, string>
  /** Decides them: those with a base are saved over it as the person entered them, the others are forgotten here. */
  resolve: (bases: ReadonlyMap<OptionKey, string>) => Promise<void>
  /** Leaves them undecided, with everything as it was entered. */
  postpone: () => void
}>

/** How a form of some panel differs from the usual one. */
export type FormManner = Readonly<{
  /** What is said in place of the usual words when nothing could be saved. */
  failText?: string
  /** What is said of JSON settings that cannot be read, in place of where they break. */
  jsonTexts?: Readonly<Partial<Record<OptionKey, string>>>
  /** Why nothing of it may be saved now, in words; asked once something has changed. */
  refuse?: () => string | undefined
  /** Sends all changes together, in place of one by one; resolves to undefined where the person would rather not. */
  sendTogether?: ((changes: readonly Change[]) => Promise<SaveOutcome | undefined>) | undefined
}>

/**
 * The form of some settings (docs/reference/screens.md#settings): only what was changed is sent, checked before as the
 * gateway would check it; what the gateway refuses is told at its field; what is stored now is read again.
 */
export function useOptionForm(keys: readonly OptionKey[], manner: FormManner = {}): OptionForm {
  const { t } = useTranslation()
  const drafts = useDrafts()
  const { isSaving, conflicts, setConflicts, run } = useSaving(drafts, manner)
  const changed = keys.filter(drafts.isChanged)
  const save = async () => {
    clearToasts()
    drafts.leave(keys)
    const refusal = manner.refuse?.()
    if (changed.length === 0) showWarning(t('option.nochange'))
    else if (refusal !== undefined) showWarning(refusal)
    else if (changed.some((key) => drafts.refusalOf(key))) showWarning(t('option.check'))
    else return run(changed.map(drafts.changeOf))
    return false
  }
  const resolve = async (bases: ReadonlyMap<OptionKey, string>) => {
    const keysOf = conflicts.map(({ key }) => key).filter(isOptionKey)
    setConflicts([])
    drafts.forget(keysOf.filter((key) => !bases.has(key)))
    const mine = keysOf.filter((key) => bases.has(key))
    const beside = manner.sendTogether ? changed.filter((key) => !keysOf.includes(key)) : []
    const changes = [...mine, ...beside].map((key) => ({ ...drafts.changeOf(key), ...baseIn(bases, key) }))
    if (changes.length > 0) await run(changes)
  }
  return {
    keys,
    changed,
    isSaving,
    bind: (key) =>
      bound(key, drafts, (problem) =>
        wordsOf(problem, { t, text: drafts.textOf(key), unread: manner.jsonTexts?.[key] }),
      ),
    textOf: drafts.textOf,
    type: drafts.type,
    save,
    discard: () => drafts.forget(keys),
    conflicts,
    mine: new Map(conflicts.flatMap(({ key }) => (isOptionKey(key) ? [[key, drafts.changeOf(key).value]] : []))),
    resolve,
    postpone: () => setConflicts([]),
  }
}

/** The base that a value is to be saved over, where one was chosen. */
const baseIn = (bases: ReadonlyMap<OptionKey, string>, key: OptionKey) => bases.has(key) && { base: bases.get(key) }

function bound(key: OptionKey, drafts: Drafts, say: (refusal: OptionRefusal) => string): BoundOption {
  const refusal = drafts.isLeft(key) && drafts.isChanged(key) ? drafts.refusalOf(key) : undefined
  return {
    option: key,
    value: drafts.textOf(key),
    onValue: (text) => drafts.type(key, text),
    onLeave: () => drafts.leave([key]),
    error: drafts.saidOf(key) ?? (refusal && say(refusal)),
    isRemoved: drafts.isRemoved(key),
    onRemove: (isRemoved) => drafts.remove(key, isRemoved),
    onReset: () => drafts.forget([key]),
  }
}

type Wording = Readonly<{ t: Translate; text: string; unread: string | undefined }>

/** What is wrong, in words; where JSON cannot be read, the place is told unless something else is to be said. */
function wordsOf({ key, params }: OptionRefusal, { t, text, unread }: Wording): string {
  const broken = key === 'option.bad_json' ? (unread ?? problemIn(text, t)) : undefined
  return broken ?? t(key, params)
}

/** Sends changes and tells what came of it; what others have stored meanwhile is kept to be decided. */
function useSaving(drafts: Drafts, manner: FormManner) {
  const [isSaving, setSaving] = useState(false)
  const [conflicts, setConflicts] = useState<readonly OptionConflict[]>([])
  const note = useNoteSaved()
  const report = useOutcome(manner)
  const run = async (changes: readonly Change[]) => {
    setSaving(true)
    const outcome = await (manner.sendTogether?.(changes) ?? saveOptions(changes, putOptions))
    if (!outcome) {
      setSaving(false)
      return false
    }
    note(changes.filter(({ key }) => outcome.saved.includes(key)))
    drafts.settle(outcome)
    await report(outcome)
    setConflicts(conflictsOf(outcome))
    setSaving(false)
    return outcome.saved.length === changes.length
  }
  return { isSaving, conflicts, setConflicts, run }
}

/** A failure is a result here, for other changes may have succeeded. */
const putOptions: PutOptions = async (changes) => {
  const [only, ...others] = changes
  try {
    if (only && others.length === 0) await send(option.update, { query: {}, body: only }, { quiet: true })
    else await send(option.updateMany, { query: {}, body: { changes: [...changes] } }, { quiet: true })
    return undefined
  } catch (error) {
    if (error instanceof CallFailure) return error
    throw error
  }
}
