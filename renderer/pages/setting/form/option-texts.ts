import { decodeOption, encodeOption, type OptionKey, options } from '../../../../shared/options/index.ts'
import { OptionRefusal } from '../../../../shared/options/wire.ts'

/** The text that would be stored for the input, normalized as the gateway does; undefined if it is invalid. */
export function storedText(key: OptionKey, typed: string): string | undefined {
  try {
    return encodeOption(key, decodeOption(key, typed))
  } catch (error) {
    if (error instanceof OptionRefusal) return undefined
    throw error
  }
}

/** A stored text for editing: JSON indented by two spaces, everything else as is. */
export function shownText(key: OptionKey, stored: string): string {
  if (options[key].wire !== 'json') return stored
  try {
    return JSON.stringify(JSON.parse(stored), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return stored
    throw error
  }
}

export const differs = (key: OptionKey, typed: string, stored: string): boolean =>
  (storedText(key, typed) ?? typed) !== (storedText(key, stored) ?? stored)
