import { isMessageKey, type MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import { isObject, objectIn, objectsIn, parsed } from './json/json.ts'

export type LocalizedMessage = Readonly<{ key: MessageKey; params?: MessageParams }>

/**
 * Builds the columns of a log row that is shown in the reader's language: the English text, by which it is searched,
 * and the message keys among its other facts (docs/reference/logs.md#languages).
 */
export const logMessage = (
  messages: readonly LocalizedMessage[],
  facts: object = {},
): { content: string; other: string } => ({
  content: textOf('en', messages),
  other: JSON.stringify({ ...facts, said: messages }),
})

/** Returns the text of a log row in the reader's language if the row has message keys, otherwise its stored text. */
export function contentIn(locale: Locale, { content, other }: Readonly<{ content: string; other: string }>): string {
  if (!other.includes('"said":[')) return content
  const messages = objectsIn(objectIn(parsed(other)).said).flatMap(({ key, params }) =>
    typeof key === 'string' && isMessageKey(key) ? [{ key, params: valuesIn(params) }] : [],
  )
  return messages.length > 0 ? textOf(locale, messages) : content
}

const textOf = (locale: Locale, messages: readonly LocalizedMessage[]): string =>
  messages.map(({ key, params }) => formatMessage(locale, key, params)).join(' ')

const valuesIn = (params: unknown): MessageParams =>
  isObject(params)
    ? Object.fromEntries(
        Object.entries(params).filter(
          (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
        ),
      )
    : {}
