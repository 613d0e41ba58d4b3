import { refuse } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'

/** As many as one question may be about. */
const MOST_IDS = 500

/** The ids of tasks that a body asks after; refuses what is no list of them, and too many. */
export function idsIn({ ids }: JsonObject): readonly string[] {
  const found = Array.isArray(ids) ? ids.map((id) => (typeof id === 'number' ? String(id) : id)) : undefined
  const isList = found?.every((id): id is string => typeof id === 'string' && id.length <= 200) === true
  if (!found || !isList || found.length > MOST_IDS)
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'ids' }, { code: 'invalid_request', param: 'ids' })
  return [...new Set(found)]
}
