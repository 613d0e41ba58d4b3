import { parsedAsWritten } from '../../base/json/json.ts'

/**
 * Returns the JSON value of a text; undefined if the text is not JSON, is too long to parse, or does not begin like an
 * object, a list or null.
 */
export type ResultReader = (text: string) => unknown

/** Matches the beginning of an object, a list or null in JSON. */
const MAY_BE_JSON = /^\s*[[{n]/

/** Max characters of a text that is parsed; longer ones stay texts, since parsing them would block the event loop. */
const MAX_LENGTH = 1024 * 1024

/** Max texts of a conversation that may fail to parse; beyond that, no more are parsed. */
const MAX_FAILED = 1000

/**
 * Returns a reader of the tool results of one conversation. Parsing a text that is not JSON throws, and a hundred
 * thousand exceptions take half a second, so in a conversation with many broken results, the others stay texts.
 */
export function createResultReader(): ResultReader {
  let failed = 0
  return (text) => {
    if (text.length > MAX_LENGTH || failed >= MAX_FAILED || !MAY_BE_JSON.test(text)) return undefined
    const value = parsedAsWritten(text)
    if (value === undefined) failed += 1
    return value
  }
}
