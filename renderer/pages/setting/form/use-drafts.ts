import { useState } from 'react'
import { type OptionKey, options } from '../../../../shared/options/index.ts'
import type { OptionRefusal } from '../../../../shared/options/wire.ts'
import { optionRefusal } from '../../../components/option-field/option-field.tsx'
import { useOptionStates } from '../use-option-states.ts'
import { useOptionValues } from '../use-option-values.ts'
import { differs, shownText, storedText } from './option-texts.ts'
import type { Change, SaveOutcome } from './save-options.ts'

/** The input for a setting, and the stored value when editing began; for a secret, the time of its last change. */
type Draft = Readonly<{ text: string; base: string | undefined }>

export type Drafts = Readonly<{
  /** The input, else the stored value; for a secret, its replacement. */
  textOf: (key: OptionKey) => string
  isChanged: (key: OptionKey) => boolean
  isRemoved: (key: OptionKey) => boolean
  isLeft: (key: OptionKey) => boolean
  errorOf: (key: OptionKey) => string | undefined
  refusalOf: (key: OptionKey) => OptionRefusal | undefined
  changeOf: (key: OptionKey) => Change
  /** A secret whose field is emptied again stays as stored. */
  type: (key: OptionKey, text: string) => void
  remove: (key: OptionKey, isGone: boolean) => void
  leave: (keys: readonly OptionKey[]) => void
  settle: (outcome: SaveOutcome) => void
  forget: (keys: readonly OptionKey[]) => void
}>

/** The drafts of a form; untouched fields follow the stored values. */
export function useDrafts(): Drafts {
  const { values } = useOptionValues()
  const { states } = useOptionStates()
  const [drafts, setDrafts] = useState<ReadonlyMap<OptionKey, Draft>>(new Map())
  const [left, setLeft] = useState<ReadonlySet<OptionKey>>(new Set())
  const [refusals, setRefusals] = useState<ReadonlyMap<OptionKey, string>>(new Map())
  const storedOf = (key: OptionKey) => values?.get(key) ?? ''
  const textOf = (key: OptionKey) => drafts.get(key)?.text ?? (isSecret(key) ? '' : shownText(key, storedOf(key)))
  // A secret's value is unknown, so its change time is the base.
  const seenOf = (key: OptionKey) =>
    isSecret(key) ? states && String(states.get(key)?.changed_at ?? 0) : values?.get(key)
  const forget = (keys: readonly OptionKey[]) => {
    setDrafts((before) => without(before, keys))
    setRefusals((before) => without(before, keys))
  }
  const put = (key: OptionKey, text: string) => {
    setDrafts((before) => {
      const base = before.has(key) ? before.get(key)?.base : seenOf(key)
      return new Map(before).set(key, { text, base })
    })
    setRefusals((before) => without(before, [key]))
  }
  const isRemoved = (key: OptionKey) => isSecret(key) && drafts.get(key)?.text === ''
  return {
    textOf,
    isRemoved,
    isLeft: (key) => left.has(key),
    errorOf: (key) => refusals.get(key),
    isChanged: (key) => {
      const draft = drafts.get(key)
      return draft !== undefined && (isSecret(key) || differs(key, draft.text, storedOf(key)))
    },
    refusalOf: (key) => (isRemoved(key) ? undefined : optionRefusal(key, textOf(key))),
    changeOf: (key) => ({ key, value: storedText(key, textOf(key)) ?? textOf(key), base: drafts.get(key)?.base }),
    type: (key, text) => (isSecret(key) && text === '' ? forget([key]) : put(key, text)),
    remove: (key, isGone) => (isGone ? put(key, '') : forget([key])),
    leave: (keys) => setLeft((before) => new Set([...before, ...keys])),
    settle: ({ saved, refused }) => {
      setDrafts((before) => without(before, saved))
      setRefusals(new Map([...refused].map(([key, { message }]) => [key, message])))
    },
    forget,
  }
}

const isSecret = (key: OptionKey): boolean => options[key].secret === true

const without = <V>(before: ReadonlyMap<OptionKey, V>, keys: readonly OptionKey[]): ReadonlyMap<OptionKey, V> =>
  new Map([...before].filter(([key]) => !keys.includes(key)))
