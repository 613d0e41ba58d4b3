import {
  idParameter,
  itemPages,
  list,
  maybe,
  passedOn,
  record,
  storedTag,
  text,
  type UnchargedRow,
  whole,
} from './relay-pieces.ts'
import type { Piece } from './schema.ts'

const conversationAnswer = record({
  id: text,
  object: { const: 'conversation' },
  created_at: whole,
  metadata: { type: 'object', additionalProperties: text },
})
const itemAnswer = passedOn({ id: text, type: text })
const itemsAnswer = record({
  object: { const: 'list' },
  data: list(itemAnswer),
  first_id: maybe,
  last_id: maybe,
  has_more: { type: 'boolean' },
})
const metadataBody: Piece = {
  type: 'object',
  maxProperties: 16,
  additionalProperties: { type: 'string', maxLength: 512 },
}
const itemsBody: Piece = { type: 'array', minItems: 1, maxItems: 20, items: { type: 'object' } }
const itemParameter: Piece = { name: 'item', in: 'path', required: true, schema: text }
const oneConversation = { ...storedTag, path: '/v1/conversations/{id}', parameters: [idParameter] } as const
const itemsOfOne = { ...storedTag, path: '/v1/conversations/{id}/items' } as const
const oneItem = {
  ...storedTag,
  path: '/v1/conversations/{id}/items/{item}',
  parameters: [idParameter, itemParameter],
} as const
/** OpenAI's conversations, which the gateway itself stores (docs/reference/endpoints.md#conversations). */
export const conversations: readonly UnchargedRow[] = [
  {
    ...storedTag,
    method: 'post',
    path: '/v1/conversations',
    summary: 'Creates a conversation, to which responses can belong.',
    body: { type: 'object', properties: { metadata: metadataBody, items: itemsBody } },
    answer: conversationAnswer,
  },
  { ...oneConversation, method: 'get', summary: 'Returns a conversation of the account.', answer: conversationAnswer },
  {
    ...oneConversation,
    method: 'post',
    summary: 'Replaces the metadata of a conversation.',
    body: { type: 'object', properties: { metadata: metadataBody } },
    answer: conversationAnswer,
  },
  {
    ...oneConversation,
    method: 'delete',
    summary: 'Deletes a conversation with its items.',
    answer: record({ id: text, object: { const: 'conversation.deleted' }, deleted: { const: true } }),
  },
  {
    ...itemsOfOne,
    method: 'get',
    summary: 'Lists the items of a conversation.',
    parameters: [idParameter, ...itemPages],
    answer: itemsAnswer,
  },
  {
    ...itemsOfOne,
    method: 'post',
    summary: 'Adds items to a conversation.',
    parameters: [idParameter],
    body: { type: 'object', required: ['items'], properties: { items: itemsBody } },
    answer: itemsAnswer,
  },
  { ...oneItem, method: 'get', summary: 'Returns an item of a conversation.', answer: itemAnswer },
  { ...oneItem, method: 'delete', summary: 'Deletes an item of a conversation.', answer: conversationAnswer },
]
