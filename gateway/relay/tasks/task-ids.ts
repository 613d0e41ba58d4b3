import { refuse } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json/json.ts'
import type { Room } from '../intake/body-memory.ts'

export const MAX_QUESTION = 1024 * 1024
const MAX_IDS = 500

const MAX_SIZE = 4 * 1024 * 1024

/** Reserves memory for a response about tasks; throws if it would be too long. */
export function makeRoom(room: Room, size: number): void {
  if (size > MAX_SIZE) throw refuse('tooLarge', 'relay.tasksTooLarge', {}, { code: 'invalid_request', param: 'ids' })
  room.grow(size)
}

/** Reads the ids of queried tasks from a body; throws for anything but a list of ids, or too many. */
export function idsIn({ ids }: JsonObject): readonly string[] {
  const found = Array.isArray(ids) ? ids.map((id) => (typeof id === 'number' ? String(id) : id)) : undefined
  const isList = found?.every((id): id is string => typeof id === 'string' && id !== '' && id.length <= 200) === true
  if (!found || !isList || found.length > MAX_IDS)
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'ids' }, { code: 'invalid_request', param: 'ids' })
  return [...new Set(found)]
}
