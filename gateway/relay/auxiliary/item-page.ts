import { type GatewayError, refuse } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json/json.ts'
import type { ItemPage, RequestedPage } from '../stored/conversations.ts'

const MAX = 100
const DEFAULT_PAGE_SIZE = 20

/** A page of a response's input items (OpenAI's API reference, "List input items"); the newest first by default. */
export function itemPage(items: readonly JsonObject[], query: URLSearchParams): object {
  const { after, isNewestFirst, limit } = requestedPage(query)
  const ordered = isNewestFirst ? items.toReversed() : items
  const last = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after)
  if (after !== undefined && last < 0) throw invalidField('after')
  const end = last + 1 + limit
  return pageOf({ items: ordered.slice(last + 1, end), isMore: end < ordered.length })
}

/** The page of items that a query requests; throws for an invalid limit or order. */
export function requestedPage(query: URLSearchParams): RequestedPage {
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalidField('order')
  return { after: query.get('after') || undefined, isNewestFirst: order === 'desc', limit: limitIn(query) }
}

/** A page of items, as OpenAI lists them. */
export const pageOf = ({ items, isMore }: Readonly<{ items: readonly JsonObject[]; isMore: boolean }>): object => ({
  ...bounds(items, isMore),
  data: items,
})

/** A page of items given as JSON bytes, as OpenAI lists them; does not parse the items. */
export function writtenPage({ items, isMore }: ItemPage): Buffer {
  const start = `${JSON.stringify(bounds(items, isMore)).slice(0, -1)},"data":[`
  const separated = items.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json]))
  return Buffer.concat([Buffer.from(start), ...separated, Buffer.from(']}')])
}

const COMMA = Buffer.from(',')

const bounds = (items: readonly Readonly<{ id?: unknown }>[], isMore: boolean) => ({
  object: 'list',
  first_id: items[0]?.id ?? null,
  last_id: items.at(-1)?.id ?? null,
  has_more: isMore,
})

function limitIn(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(DEFAULT_PAGE_SIZE)
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX) throw invalidField('limit')
  return limit
}

export const invalidField = (field: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })
