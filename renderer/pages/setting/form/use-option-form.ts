import { useState } from 'react'
import { type OptionConflict, option } from '../../../../shared/api/option.ts'
import { isOptionKey, type OptionKey } from '../../../../shared/options/index.ts'
import type { OptionRefusal } from '../../../../shared/options/wire.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { problemIn } from '../../../components/json-field/json-field.tsx'
import { clearToasts, showWarning } from '../../../components/toasts.ts'
import { type Translate, useTranslation } from '../../../translation.ts'
import { type Change, conflictsOf, type PutOptions, saveOptions } from './save-options.ts'
import { type Drafts, useDrafts } from './use-drafts.ts'
import { type FormManner, useNoteSaved, useOutcome } from './use-outcome.ts'

export type BoundOption = Readonly<{
  option: OptionKey
  /** As typed. For a secret, its replacement; empty to leave it unchanged. */
  value: string
  onValue: (value: string) => void
  /** Called on blur; problems may be shown from then on. */
  onLeave: () => void
  error: string | undefined
  /** For a secret: saving removes the stored value. */
  isRemoved: boolean
  /** For a secret: marks or unmarks it for removal. */
  onRemove: (isRemoved: boolean) => void
  /** Called after the setting was reset to its default; discards the input. */
  onReset?: () => void
}>

export type OptionForm = Readonly<{
  keys: readonly OptionKey[]
  changed: readonly OptionKey[]
  isSaving: boolean
  bind: (key: OptionKey) => BoundOption
  textOf: (key: OptionKey) => string
  type: (key: OptionKey, text: string) => void
  /** Saves the changes and reports the outcome; resolves to whether everything was stored. */
  save: () => Promise<boolean>
  discard: () => void
  /** Values stored by others since editing began; saving over them needs a decision. */
  conflicts: readonly OptionConflict[]
  /** The user's input for the conflicting settings, in stored form. */
  mine: ReadonlyMap<string, string>
  /** Resolves conflicts: for those with a base, the input is saved over that value; for the others, it is discarded. */
  resolve: (bases: ReadonlyMap<OptionKey, string>) => Promise<void>
  /** Leaves conflicts unresolved and the input unchanged. */
  postpone: () => void
}>

/**
 * A settings form (docs/reference/screens.md#settings): sends only changed values, validated beforehand by the
 * gateway's rules; shows refusals at their fields; reloads the stored values afterwards.
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
    const separate = manner.sendTogether ? changed.filter((key) => !keysOf.includes(key)) : []
    const changes = [...mine, ...separate].map((key) => ({ ...drafts.changeOf(key), ...baseIn(bases, key) }))
    if (changes.length > 0) await run(changes)
  }
  return {
    keys,
    changed,
    isSaving,
    bind: (key) =>
      bound(key, drafts, (problem) =>
        problemText(problem, { t, text: drafts.textOf(key), unread: manner.jsonTexts?.[key] }),
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

const baseIn = (bases: ReadonlyMap<OptionKey, string>, key: OptionKey) => bases.has(key) && { base: bases.get(key) }

function bound(key: OptionKey, drafts: Drafts, messageOf: (refusal: OptionRefusal) => string): BoundOption {
  const refusal = drafts.isLeft(key) && drafts.isChanged(key) ? drafts.refusalOf(key) : undefined
  return {
    option: key,
    value: drafts.textOf(key),
    onValue: (text) => drafts.type(key, text),
    onLeave: () => drafts.leave([key]),
    error: drafts.errorOf(key) ?? (refusal && messageOf(refusal)),
    isRemoved: drafts.isRemoved(key),
    onRemove: (isRemoved) => drafts.remove(key, isRemoved),
    onReset: () => drafts.forget([key]),
  }
}

type ProblemContext = Readonly<{ t: Translate; text: string; unread: string | undefined }>

/** The localized problem; for unreadable JSON its position, unless `unread` replaces it. */
function problemText({ key, params }: OptionRefusal, { t, text, unread }: ProblemContext): string {
  const broken = key === 'option.bad_json' ? (unread ?? problemIn(text, t)) : undefined
  return broken ?? t(key, params)
}

/** Saves changes and reports the outcome; stores conflicts for a decision. */
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

/** A failure is a result here, because other changes may have succeeded. */
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
