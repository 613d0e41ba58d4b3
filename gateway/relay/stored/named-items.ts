import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { type JsonObject, objectsIn } from '../../base/json/json.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import type { Room } from '../intake/body-memory.ts'
import { readContent, referenceIn, responseOf, valuesIn } from './content.ts'
import { BYTES_PER_CHARACTER, MAX_CHARACTERS, MAX_RESPONSES, MAX_VALUES, WORK_OF_A_TURN } from './load-history.ts'
import type { ResponseOwner } from './recall.ts'
import type { StoredResponses } from './stored-responses.ts'

/** An input with the items that it only named; where a vendor keeps one of those, and how much text was put in. */
type NamedItems = Readonly<{
  items: readonly JsonObject[]
  responseOwner: ResponseOwner | null
  characters: number
}>

/** An item that was found, and what it takes. */
type Found = Readonly<{ item: JsonObject; characters: number; values: number }>

/**
 * Puts the items into an input that it names and that answers of the gateway's have given; others stay as they are. A name
 * is short and what it stands for is not: refuses (`tooLarge`) what would be longer than a conversation may be, and (404)
 * an item that is nobody's or somebody else's.
 */
export async function namedItems(
  stored: Pick<StoredResponses, 'find'>,
  owner: RowOwner,
  input: unknown,
  room: Room,
): Promise<NamedItems> {
  const found = new Map<string, Found>()
  const outputs = new Map<string, readonly JsonObject[]>()
  const elsewhere = new Set<string>()
  const items: JsonObject[] = []
  let responseOwner: ResponseOwner | null = null
  let [read, characters, values] = [0, 0, 0]
  /** Read since others had their turn. */
  let unbroken = 0

  const work = async (characters: number) => {
    unbroken += characters + WORK_OF_A_TURN
    if (unbroken <= LARGE) return
    unbroken = 0
    await yieldToOthers()
  }
  const outputOf = async (from: string): Promise<readonly JsonObject[]> => {
    const known = outputs.get(from)
    if (known) return known
    const kept = outputs.size < MAX_RESPONSES ? await stored.find(owner, from) : undefined
    if (!kept || !('content' in kept)) return []
    read += kept.content.length
    if (read > MAX_CHARACTERS) throw tooLong()
    room.grow(read * BYTES_PER_CHARACTER)
    await work(kept.content.length)
    const output = objectsIn(readContent(kept.content).response.output)
    outputs.set(from, output)
    return output
  }
  const itemOf = async (id: string, from: string): Promise<Found> => {
    const known = found.get(id)
    if (known) return known
    const item = (await outputOf(from)).find((one) => one.id === id)
    if (!item) throw refuse('missing', 'relay.noResponse', { id }, { param: 'input' })
    const fresh = { item, characters: JSON.stringify(item).length, values: valuesIn(item) }
    found.set(id, fresh)
    return fresh
  }
  /** A vendor's response, which the item is one of; so many names are looked up, and no name twice. */
  const homeOf = async (id: string): Promise<ResponseOwner | null> => {
    if (elsewhere.has(id) || elsewhere.size >= MAX_RESPONSES) return null
    elsewhere.add(id)
    await work(0)
    const kept = await stored.find(owner, id)
    return kept && 'channelId' in kept ? { ...kept, id, param: 'input' } : null
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
