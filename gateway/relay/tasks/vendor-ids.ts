import { refuse } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json/json.ts'
import { UntrustedSet } from '../../base/untrusted-keys.ts'
import { folded } from '../intake/known-members.ts'

/** A task, a clip of one, or something else of the vendor's account, such as a persona. */
type IdKind = 'task' | 'clip' | 'other'

type VendorId = Readonly<{ field: string; kind: IdKind; value: unknown }>

/**
 * The members of a body, at any depth and in any spelling, that name something of the vendor's account, which all
 * accounts of the gateway share (docs/reference/tasks.md#music). Blank ones name nothing.
 */
export function vendorIds(json: JsonObject): readonly VendorId[] {
  const found: VendorId[] = []
  // A wide body repeats its names.
  const kinds = new Map<string, IdKind | undefined>()
  const kindIn = (one: object, field: string) => {
    if (one === json) return kindOf(field, true)
    if (!kinds.has(field)) kinds.set(field, kindOf(field, false))
    return kinds.get(field)
  }
  const pending: object[] = [json]
  for (let one = pending.pop(); one; one = pending.pop()) {
    for (const [field, value] of Object.entries(one)) {
      if (value === null || value === '') continue
      const kind = Array.isArray(one) ? undefined : kindIn(one, field)
      if (kind) found.push({ field, kind, value })
      else if (Array.isArray(value) || isObject(value)) pending.push(value)
    }
  }
  return found
}

function kindOf(field: string, isOutermost: boolean): IdKind | undefined {
  if (field.length > MAX_FIELD || !/ids?$/i.test(field)) return undefined
  const name = folded(field).replace(/[_-]/g, '')
  if (TASK.test(name)) return 'task'
  if (CLIP.test(name) || (!isOutermost && /^ids?$/.test(name))) return 'clip'
  return OTHER.test(name) ? 'other' : undefined
}

/** Max characters of a member's name; no vendor has longer ones. */
const MAX_FIELD = 64
const TASK = /(task|job|parent)ids?$/
const CLIP = /(clip|audio|song|track|upload|stemfrom|audioprompt)ids?$/
const OTHER = /(persona|voice|project|workspace|playlist)ids?$/

/**
 * The ids of a kind as texts. Throws for other types, which vendors may accept but which cannot be compared with the
 * caller's own.
 */
export function idsOf(named: readonly VendorId[], wanted: IdKind): readonly string[] {
  const ids = named.flatMap(({ field, kind, value }) => (kind === wanted ? textsIn(field, value) : []))
  return [...new UntrustedSet(ids)]
}

function textsIn(field: string, value: unknown): readonly string[] {
  const ids: readonly unknown[] = Array.isArray(value) && /s$/i.test(field) ? value : [value]
  const isFit = (id: unknown): id is string => typeof id === 'string' && id !== '' && id.length <= MAX_ID
  if (ids.length <= MAX_IDS && ids.every(isFit)) return ids
  throw refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })
}

const MAX_ID = 200
const MAX_IDS = 20
