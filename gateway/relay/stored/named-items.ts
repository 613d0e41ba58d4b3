import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { type JsonObject, objectsIn } from '../../base/json/json.ts'
import { LONG } from '../../base/json/json-scan.ts'
import { UntrustedMap, UntrustedSet } from '../../base/untrusted-keys.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import { readContent, referenceIn, responseOf, valuesIn } from './content.ts'
import { BYTES_PER_CHARACTER, MAX_CHARACTERS, MAX_RESPONSES, MAX_VALUES, WORK_OF_A_TURN } from './load-history.ts'
import type { ResponseOwner, StoredResponses } from './stored-responses.ts'

/**
 * An input with its references resolved, the location of a referenced item that a vendor stores, and the number of
 * characters added.
 */
type NamedItems = Readonly<{
  items: readonly JsonObject[]
  responseOwner: ResponseOwner | null
  characters: number
}>

type Found = Readonly<{ item: JsonObject; characters: number; values: number }>

/**
 * Resolves references to items of the gateway's own responses; all other items are unchanged. A reference is short but
 * its item may not be: throws `tooLarge` if the result is longer than a conversation may be, and 404 for an item that
 * does not exist or has another owner.
 */
export async function namedItems(
  stored: Pick<StoredResponses, 'find'>,
  owner: RowOwner,
  input: unknown,
  memory: MemoryShare,
): Promise<NamedItems> {
  const found = new UntrustedMap<string, Found>()
  const outputs = new UntrustedMap<string, UntrustedMap<unknown, JsonObject>>()
  const elsewhere = new UntrustedSet<string>()
  const items: JsonObject[] = []
  let responseOwner: ResponseOwner | null = null
  let [read, characters, values] = [0, 0, 0]
  /** Characters read since the last yield to the event loop. */
  let unbroken = LONG

  const work = async (characters: number) => {
    unbroken += characters + WORK_OF_A_TURN
    if (unbroken <= LONG) return
    unbroken = 0
    await yieldToOthers()
  }
  /** A response's output by item id. */
  const outputOf = async (from: string): Promise<UntrustedMap<unknown, JsonObject>> => {
    const known = outputs.get(from)
    if (known) return known
    await work(0)
    const found = outputs.size < MAX_RESPONSES ? await stored.find(owner, from) : undefined
    if (!found || !('content' in found)) return new UntrustedMap()
    read += found.content.length
    if (read > MAX_CHARACTERS) throw tooLong()
    memory.grow(read * BYTES_PER_CHARACTER)
    await work(found.content.length)
    const items = objectsIn(readContent(found.content).response.output)
    const output = new UntrustedMap(items.map((item) => [item.id, item] as const).toReversed())
    outputs.set(from, output)
    return output
  }
  const itemOf = async (id: string, from: string): Promise<Found> => {
    const known = found.get(id)
    if (known) return known
    const item = (await outputOf(from)).get(id)
    if (!item) throw refuse('missing', 'relay.noResponse', { id }, { param: 'input' })
    const fresh = { item, characters: JSON.stringify(item).length, values: valuesIn(item) }
    found.set(id, fresh)
    return fresh
  }
  /** The vendor response that contains the item; limits the lookups and never repeats one. */
  const homeOf = async (id: string): Promise<ResponseOwner | null> => {
    if (elsewhere.has(id) || elsewhere.size >= MAX_RESPONSES) return null
    elsewhere.add(id)
    await work(0)
    const found = await stored.find(owner, id)
    return found && 'channelId' in found ? { ...found, id, param: 'input' } : null
  }

  for (const item of objectsIn(input)) {
    const id = referenceIn(item)
    const from = id && responseOf(id)
    if (!id || !from) {
      if (id) responseOwner ??= await homeOf(id)
      items.push(item)
      continue
    }
    const named = await itemOf(id, from)
    characters += named.characters
    values += named.values
    if (characters > MAX_CHARACTERS || values > MAX_VALUES) throw tooLong()
    items.push(named.item)
  }
  return { items, responseOwner, characters }
}

const tooLong = () =>
  refuse(
    'tooLarge',
    'relay.tooLarge',
    { limit: `${MAX_CHARACTERS / (1024 * 1024)} MiB` },
    { code: 'read_request_body_failed', param: 'input' },
  )
