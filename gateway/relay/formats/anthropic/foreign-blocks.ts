import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { UntrustedMap, UntrustedSet } from '../../../base/untrusted-keys.ts'
import { unsealed } from '../signature.ts'
import { searchWords } from '../vendor-search.ts'
import { FOREIGN_INDEX, FOREIGN_USE, isSearchResult, isSearchUse, searchIn } from './search-blocks.ts'

/** Every request with blocks of another vendor contains one of these byte sequences. */
export const FOREIGN_MARKS: readonly string[] = ['"switchyard:', `"${FOREIGN_USE}`]

/**
 * Removes from messages for Anthropic the content that only another vendor could have made, and that Anthropic refuses
 * ("Invalid `signature` in `thinking` block", "Invalid encrypted_content in search_result block"): thinking and
 * citations with other seals are left out, searches become text, and messages that lose all their content are left out.
 */
export const withoutForeign = (messages: readonly unknown[]): readonly unknown[] =>
  messages.flatMap((message): readonly unknown[] => (isObject(message) ? cleaned(message) : [message]))

function cleaned(message: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(message.content)) return [message]
  const blocks: readonly unknown[] = message.content
  const uses = new UntrustedMap<unknown, JsonObject>()
  for (const block of blocks) if (isObject(block) && isForeignUse(block)) uses.set(block.id, block)
  const answered = new UntrustedSet(
    blocks.flatMap((block) => (isObject(block) && isSearchResult(block) ? [block.tool_use_id] : [])),
  )
  const content = blocks.flatMap((block): readonly unknown[] => {
    if (!isObject(block)) return [block]
    if (isForeignUse(block)) return answered.has(block.id) ? [] : [textBlockOf(block, undefined)]
    const use = isSearchResult(block) ? uses.get(block.tool_use_id) : undefined
    if (use) {
      // A further result of the same search is left out, like the search itself.
      uses.set(block.tool_use_id, ANSWERED)
      return use === ANSWERED ? [] : [textBlockOf(use, block)]
    }
    return isForeignThought(block) ? [] : [withoutCitations(block)]
  })
  return content.length > 0 || blocks.length === 0 ? [{ ...message, content }] : []
}

const ANSWERED: JsonObject = {}

const isForeignUse = (block: JsonObject): boolean => isSearchUse(block) && hasForeignId(block)

function hasForeignId({ id }: JsonObject): boolean {
  return typeof id === 'string' && id.length <= MAX_ID_LENGTH && id.startsWith(FOREIGN_USE)
}

const MAX_ID_LENGTH = 256

const textBlockOf = (use: JsonObject, result: JsonObject | undefined): JsonObject => ({
  type: 'text',
  text: searchWords(searchIn(use, result)),
  ...(isObject(result?.cache_control) ? { cache_control: result.cache_control } : {}),
})

function isForeignThought({ type, signature, data }: JsonObject): boolean {
  const seal = type === 'thinking' ? signature : data
  const isThought = type === 'thinking' || type === 'redacted_thinking'
  return isThought && typeof seal === 'string' && unsealed(seal, 'anthropic').by !== 'anthropic'
}

function withoutCitations(block: JsonObject): JsonObject {
  const { citations, ...rest } = block
  if (!Array.isArray(citations)) return block
  const ownCitations = citations.filter((each) => !isObject(each) || each.encrypted_index !== FOREIGN_INDEX)
  if (ownCitations.length === citations.length) return block
  return ownCitations.length > 0 ? { ...rest, citations: ownCitations } : rest
}
