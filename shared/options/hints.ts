import { option } from '../messages/en/option.ts'
import type { MessageKey } from '../messages/en.ts'
import type { OptionKey } from './index.ts'

export function hintOf(key: OptionKey): MessageKey | undefined {
  const hint = `option.hint.${key}`
  return isOptionText(hint) ? hint : undefined
}

const isOptionText = (key: string): key is keyof typeof option => Object.hasOwn(option, key)
