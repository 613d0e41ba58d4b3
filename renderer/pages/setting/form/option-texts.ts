import { decodeOption, encodeOption, type OptionKey, options } from '../../../../shared/options/index.ts'
import { OptionRefusal } from '../../../../shared/options/wire.ts'

/** The text that would be stored for what is typed, tidied as the gateway tidies it; undefined for what it would refuse. */
export function storedText(key: OptionKey, typed: string): string | undefined {
  try {
    return encodeOption(key, decodeOption(key, typed))
  } catch (error) {
    if (error instanceof OptionRefusal) return undefined
    throw error
  }
}

/** A stored text as it is edited: JSON with two spaces a level, everything else as it is. */
export function shownText(key: OptionKey, stored: string): string {
  if (options[key].wire !== 'json') return stored
  try {
    return JSON.stringify(JSON.parse(stored), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return stored
    throw error
  }
}

/** Whether what is typed stands for another value than the stored text. */
export const differs = (key: OptionKey, typed: string, stored: string): boolean =>
  (storedText(key, typed) ?? typed) !== (storedText(key, stored) ?? stored)
