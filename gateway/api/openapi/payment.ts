import { NOTIFY_PATH } from '../../wallet/epay.ts'
import type { Operation } from './console.ts'
import type { Piece } from './schema.ts'

type Field = Readonly<{ name: string; schema: Piece; description: string; required?: true }>

/** The fields of the Epay protocol that are read from a notice; all others matter only for its signature. */
const fields: readonly Field[] = [
  { name: 'pid', schema: { type: 'string' }, description: 'The merchant id (EpayId).', required: true },
  { name: 'trade_no', schema: { type: 'string' }, description: "The payment provider's trade number." },
  { name: 'out_trade_no', schema: { type: 'string' }, description: 'The trade number of the order.', required: true },
  {
    name: 'money',
    schema: { type: 'string' },
    description: 'The amount paid, with up to two decimals.',
    required: true,
  },
  {
    name: 'trade_status',
    schema: { type: 'string' },
    description: 'TRADE_SUCCESS credits the order; anything else changes nothing.',
    required: true,
  },
  {
    name: 'sign_type',
    schema: { type: 'string', enum: ['MD5'] },
    description: 'The type of the signature.',
    required: true,
  },
  {
    name: 'sign',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    description: 'The MD5 of all other non-empty fields, sorted by name, followed by the merchant key.',
    required: true,
  },
]

const answer = (description: string, word: Piece, more: Piece = {}): Piece => ({
  description,
  ...more,
  content: { 'text/plain': { schema: word } },
})

const responses: Piece = {
  200: answer('`success` if the notice must not be repeated, `fail` if it must.', {
    type: 'string',
    enum: ['success', 'fail'],
  }),
  429: answer(
    'Too many unsigned notices; signed ones are not limited.',
    { const: 'fail' },
    { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } },
  ),
}

const shared = { tags: ['Wallet'], security: [], responses }

/**
 * The endpoint for payment providers, which has no console contract: no envelope, and only its signature authenticates
 * it (docs/reference/wallet.md#notices).
 */
export const paymentOperations: readonly Operation[] = [
  {
    path: NOTIFY_PATH,
    method: 'get',
    operation: {
      ...shared,
      operationId: 'epayNotifyByQuery',
      summary:
        'Notice of a payment, sent by the payment provider. The order of a notice signed with the merchant key is credited once.',
      parameters: fields.map(({ required = false, ...field }) => ({ ...field, in: 'query', required })),
    },
  },
  {
    path: NOTIFY_PATH,
    method: 'post',
    operation: {
      ...shared,
      operationId: 'epayNotifyByForm',
      summary: 'Notice of a payment as a form of at most 16 KiB, sent by the payment provider.',
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: fields.filter(({ required }) => required).map(({ name }) => name),
              properties: Object.fromEntries(
                fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
              ),
              additionalProperties: { type: 'string' },
            },
          },
        },
      },
    },
  },
]
