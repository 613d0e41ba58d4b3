import type { MessageParams } from '../../../shared/messages/format.ts'
import { hintOf } from '../../../shared/options/hints.ts'
import { type OptionKey, options, rangeOf } from '../../../shared/options/index.ts'
import type { Control } from '../../../shared/options/option.ts'
import { useTranslation } from '../../translation.ts'
import { sentences } from '../sentences.ts'

/** What an option's field says beneath it: what it does and what it may be. */
export function useOptionHint(option: OptionKey): string {
  const { t } = useTranslation()
  const hint = hintOf(option)
  const range = rangeOf(option)
  const isTold = range !== undefined && controlOf(option) !== 'amount' && Number(range.params.max) < neverMet
  return sentences(hint && t(hint), isTold ? t(range.key, grouped(range.params)) : undefined)
}

/** How a person enters a value, where its wire form does not tell. */
export const controlOf = (key: OptionKey): Control | undefined => {
  const { control }: { control?: Control } = options[key]
  return control
}

/** A bound that nobody meets is told to who meets it. */
const neverMet = 1_000_000_000

/** Numbers with groups of three, as they are read elsewhere. */
const grouped = (params: MessageParams): MessageParams =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.toLocaleString('en')]))
