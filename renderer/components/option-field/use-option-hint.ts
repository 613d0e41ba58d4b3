import type { MessageParams } from '../../../shared/messages/format.ts'
import { hintOf } from '../../../shared/options/hints.ts'
import { type OptionKey, options, rangeOf } from '../../../shared/options/index.ts'
import type { Control } from '../../../shared/options/option.ts'
import { useTranslation } from '../../translation.ts'
import { sentences } from '../sentences.ts'

export function useOptionHint(option: OptionKey): string {
  const { t } = useTranslation()
  const hint = hintOf(option)
  const range = rangeOf(option)
  const showsRange = range !== undefined && controlOf(option) !== 'amount' && Number(range.params.max) < neverMet
  return sentences(hint && t(hint), showsRange ? t(range.key, grouped(range.params)) : undefined)
}

/** The control for an option, if its wire format does not determine it. */
export const controlOf = (key: OptionKey): Control | undefined => {
  const { control }: { control?: Control } = options[key]
  return control
}

/** A range with a maximum from here on is not shown in the hint, only on violation. */
const neverMet = 1_000_000_000

/** Numbers with groups of three, as elsewhere in the console. */
const grouped = (params: MessageParams): MessageParams =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.toLocaleString('en')]))
