import { yieldToOthers } from '../../base/fair-yield.ts'
import { type JsonObject, objectsIn } from '../../base/json/json.ts'
import { LONG, requestBounds } from '../../base/json/json-scan.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import { type Content, readContent, valuesIn } from './content.ts'
import type { StoredResponses } from './stored-responses.ts'

/** Everything up to a response: the items before its output, the response, and the ids, the first one first. */
type History = Readonly<{
  input: readonly JsonObject[]
  response: JsonObject
  ids: readonly string[]
  characters: number
}>

export const MAX_RESPONSES = 1000
export const MAX_CHARACTERS = 32 * 1024 * 1024
/**
 * Max values of a conversation: as many as a request with the most fields has, where each field is a value, and so is
 * the object around some of them.
 */
export const MAX_VALUES = 2 * requestBounds.fields

/** Reading a row takes as long as reading this many characters. */
export const WORK_OF_A_TURN = 16 * 1024

/** Bytes per stored character: texts with any character beyond Latin-1 use two. */
export const BYTES_PER_CHARACTER = 2

/**
 * Reads a conversation back from the content of its last response to its first, within the memory of its reader;
 * undefined if a part of it is no longer stored, or if it is too long. Throws `unavailable` if there is not enough
 * memory for it.
 */
export async function conversationOf(
  stored: Pick<StoredResponses, 'find'>,
  owner: RowOwner,
  id: string,
  last: string,
  memory: MemoryShare,
): Promise<History | undefined> {
  memory.grow(last.length * BYTES_PER_CHARACTER)
  await yieldToOthers()
  const newest = readContent(last)
  const ids = [id]
  const turns: Content[] = [newest]
  let characters = last.length
  let values = 0
  let read = last.length
  for (let { before } = newest; before !== ''; ) {
    if (read > LONG) {
      read = 0
      await yieldToOthers()
    }
    const found = ids.length < MAX_RESPONSES ? await stored.find(owner, before) : undefined
    if (!found || !('content' in found)) return undefined
    characters += found.content.length
    if (characters > MAX_CHARACTERS) return undefined
    memory.grow(characters * BYTES_PER_CHARACTER)
    if (found.content.length > LONG) await yieldToOthers()
    const content = readContent(found.content)
    values += valuesIn(content)
    if (values > MAX_VALUES) return undefined
    read += found.content.length + WORK_OF_A_TURN
    ids.push(before)
    turns.push(content)
    before = content.before
  }
  const input: JsonObject[] = []
  for (const turn of turns.reverse()) {
    if (!turn.input) return undefined
    for (const item of turn.input) input.push(item)
    if (turn !== newest) for (const item of objectsIn(turn.response.output)) input.push(item)
  }
  return { input, response: newest.response, ids: ids.reverse(), characters }
}
