import { type JsonObject, objectsIn } from '../../base/json.ts'
import { LARGE, othersTurn, requestBounds } from '../../base/json-scan.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import { type Content, readContent, valuesIn } from './content.ts'
import type { StoredResponses } from './stored-responses.ts'

/** All that was said up to a response: the items before its output, the response, and the ids from the first on. */
export type History = Readonly<{
  input: readonly JsonObject[]
  response: JsonObject
  ids: readonly string[]
  /** How long it is. */
  characters: number
}>

/** A conversation is put together of so many responses at most. */
export const MAX_RESPONSES = 1000
/** And of so much text. */
export const MAX_CHARACTERS = 32 * 1024 * 1024
/** As many values as one request may have. */
export const MAX_VALUES = requestBounds.values

/** Reads a conversation back from its last response to its first; undefined where a part of it is not kept any more. */
export async function conversationOf(
  stored: Pick<StoredResponses, 'find'>,
  owner: RowOwner,
  id: string,
  last: Content,
): Promise<History | undefined> {
  const ids = [id]
  const turns: Content[] = [last]
  let characters = 0
  let values = 0
  let read = 0
  for (let { before } = last; before !== ''; ) {
    const kept = ids.length < MAX_RESPONSES ? await stored.find(owner, before) : undefined
    if (!kept || !('content' in kept)) return undefined
    characters += kept.content.length
    if (characters > MAX_CHARACTERS) return undefined
    const content = readContent(kept.content)
    values += valuesIn(content)
    if (values > MAX_VALUES) return undefined
    read += kept.content.length
    if (read > LARGE) {
      read = 0
      await othersTurn()
    }
    ids.push(before)
    turns.push(content)
    before = content.before
  }
  const input: JsonObject[] = []
  for (const turn of turns.reverse()) {
    if (!turn.input) return undefined
    for (const item of turn.input) input.push(item)
    if (turn !== last) for (const item of objectsIn(turn.response.output)) input.push(item)
  }
  return { input, response: last.response, ids: ids.reverse(), characters }
}
