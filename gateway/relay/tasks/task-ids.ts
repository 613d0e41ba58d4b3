import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import type { JsonObject } from '../../base/json/json.ts'
import { UntrustedSet } from '../../base/untrusted-keys.ts'
import type { MemoryShare } from '../intake/body-memory.ts'

export const MAX_QUESTION = 1024 * 1024
const MAX_IDS = 500

const MAX_SIZE = 4 * 1024 * 1024
/** Ids looked up before yielding, in about 2 ms. */
const IDS_AT_ONCE = 25

/**
 * Finds the rows with these ids, the newest first, and reserves memory for their texts; throws if the response would be
 * too long. One row per id, because a vendor may return the same id for any number of orders. Yields between steps.
 */
export async function rowsOf<T extends Readonly<{ id: number }>>(
  ids: readonly string[],
  memory: MemoryShare,
  find: (id: string) => Promise<T | undefined>,
): Promise<T[]> {
  const rows: T[] = []
  let size = 0
  for (const [index, id] of ids.entries()) {
    if (index % IDS_AT_ONCE === 0) await yieldToOthers()
    const row = await find(id)
    if (!row) continue
    size += textLength(row)
    if (size > MAX_SIZE) throw refuse('tooLarge', 'relay.tasksTooLarge', {}, { code: 'invalid_request', param: 'ids' })
    memory.grow(size)
    rows.push(row)
  }
  return rows.sort((one, other) => other.id - one.id)
}

const textLength = (row: object): number =>
  Object.values(row).reduce((length: number, value) => length + (typeof value === 'string' ? value.length : 0), 0)

/** Reads the ids of queried tasks from a body; throws for anything but a list of ids, or too many. */
export function idsIn({ ids }: JsonObject): readonly string[] {
  const found = Array.isArray(ids) ? ids.map((id) => (typeof id === 'number' ? String(id) : id)) : undefined
  const isList = found?.every((id): id is string => typeof id === 'string' && id !== '' && id.length <= 200) === true
  if (!found || !isList || found.length > MAX_IDS)
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'ids' }, { code: 'invalid_request', param: 'ids' })
  return [...new UntrustedSet(found)]
}
