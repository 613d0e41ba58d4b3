import { refuse } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'

const MAX = 100
const USUAL = 20

/** A page of a response's input items (OpenAI's API reference, "List input items"): the newest first unless asked otherwise. */
export function itemPage(items: readonly JsonObject[], asked: URLSearchParams): object {
  const ordered = orderIn(asked) === 'asc' ? [...items] : items.toReversed()
  const most = limitIn(asked)
  const after = asked.get('after')
  const last = after ? ordered.findIndex(({ id }) => id === after) : -1
  if (after && last < 0) throw invalid('after')
  const data = ordered.slice(last + 1, last + 1 + most)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: last + 1 + most < ordered.length,
  }
}

function orderIn(asked: URLSearchParams): 'asc' | 'desc' {
  const order = asked.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalid('order')
  return order
}

function limitIn(asked: URLSearchParams): number {
  const text = asked.get('limit') ?? String(USUAL)
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX) throw invalid('limit')
  return limit
}

const invalid = (field: string) =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })
