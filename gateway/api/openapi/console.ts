import { z } from 'zod'
import type { Access, ApiCall } from '../../../shared/api/call.ts'
import { option } from '../../../shared/api/option.ts'
import { TWO_FACTORS_REQUIRED } from '../../../shared/api/security.ts'
import { status } from '../../../shared/api/status.ts'
import { LOG_IN_AGAIN } from '../../../shared/log-in-again.ts'
import { isRootOnly } from '../middleware/demo-site.ts'
import { areas } from './areas.ts'
import type { Piece, Schemas } from './schema.ts'

/** `path` in OpenAPI's notation, `method` in lower case. */
export type Operation = Readonly<{ path: string; method: string; operation: Piece }>

export const consoleOperations = (schemas: Schemas): Operation[] =>
  areas.flatMap(({ tag, groups }) =>
    Object.entries(groups).flatMap(([group, calls]) =>
      Object.entries(calls).map(([name, call]) => ({
        path: call.path.replace(/:(\w+)/g, '{$1}'),
        method: call.method.toLowerCase(),
        operation: operationOf(schemas, call, tag, `${group}${name[0]?.toUpperCase()}${name.slice(1)}`),
      })),
    ),
  )

export const refusal: Piece = {
  type: 'object',
  description: 'A refused or failed call. Its status is 200 unless the call documents another.',
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'The reason, in the language of Accept-Language.' },
    code: {
      enum: [TWO_FACTORS_REQUIRED, LOG_IN_AGAIN],
      description:
        'two_factors_required: your account must set up a second factor first; until then only calls for that are accepted. log_in_again: the call requires a recent login.',
    },
  },
  required: ['success', 'message'],
}

const refused = { $ref: '#/components/schemas/Refusal' }
const json = (schema: Piece): Piece => ({ 'application/json': { schema } })
const refusalResponse = (description: string): Piece => ({ description, content: json(refused) })

/** Shared refusals with a specific status, by reference name. */
export const consoleResponses: Readonly<Record<string, Piece>> = {
  Unauthenticated: refusalResponse('Not logged in, or the user-id header is missing or names another account.'),
  Foreign: refusalResponse('The call was made by a page of another site.'),
  Demo: refusalResponse('This is a site for demonstration, where only the super administrator changes anything.'),
  SlowBody: refusalResponse('The body came too slowly.'),
  Unwritten: refusalResponse('The database takes no writes: its disk is full, or another program has locked it.'),
  Limited: {
    ...refusalResponse('Too many calls in a short time.'),
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  },
  Fault: refusalResponse('A fault of the gateway; the message carries the id under which it is logged.'),
}

export const consoleSecurity: Readonly<Record<string, Piece>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'The cookie that a login sets; over https `__Host-session`.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: "An account's access token. The word Bearer is optional.",
  },
  userId: {
    type: 'apiKey',
    in: 'header',
    name: 'New-Api-User',
    description:
      'The id of the calling account, or -1 if logged out; pages of other sites cannot send it. Also accepted as User-Id.',
  },
}

const protectedBy = [
  { session: [], userId: [] },
  { accessToken: [], userId: [] },
]
const security: Readonly<Record<Access, readonly Piece[]>> = {
  public: [],
  visitor: [{}, { session: [] }, { accessToken: [] }],
  user: protectedBy,
  admin: protectedBy,
  operator: protectedBy,
  root: protectedBy,
}
const roles: Readonly<Record<Access, string>> = {
  public: 'Open to everybody.',
  visitor: 'Open to everybody; a logged-in account gets its own.',
  user: 'For every logged-in account.',
  admin: 'For administrators.',
  operator: 'For those who may change options: administrators, or only the super administrator (OPTION_MIN_ROLE).',
  root: 'For the super administrator.',
}

/** Adds the user-id header to a call's security, even if the call has no other. */
const withUserId = (pieces: readonly Piece[]): readonly Piece[] =>
  (pieces.length === 0 ? [{}] : pieces).map((piece) => ({ ...piece, userId: [] }))

function operationOf(schemas: Schemas, call: ApiCall, tag: string, operationId: string): Piece {
  const { access, body, hasEffect, limit, summary } = call
  const isLogin = limit !== undefined && limit !== 'per-user'
  return {
    operationId,
    tags: [tag],
    summary,
    description: isLogin ? `${roles[access]} Few are taken from one address (CRITICAL_RATE_LIMIT).` : roles[access],
    security: hasEffect ? withUserId(security[access]) : security[access],
    parameters: [...parametersOf(schemas, call.params, 'path'), ...parametersOf(schemas, call.query, 'query')],
    ...(body && { requestBody: { required: true, content: json(schemas.sent(body)) } }),
    ...(call.takesFile && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    responses: {
      200: answerOf(schemas, call),
      ...(call === option.update && { 400: refusalResponse('The body is not JSON.') }),
      ...(protectedBy === security[access] && { 401: named('Unauthenticated') }),
      403: named('Foreign'),
      ...(isRootOnly(call) && { 405: named('Demo') }),
      ...((body || call.takesFile) && { 408: named('SlowBody') }),
      429: named('Limited'),
      500: named('Fault'),
      503: call === status.test ? refusalResponse('The database gives no sign of life.') : named('Unwritten'),
    },
  }
}

const named = (name: string): Piece => ({ $ref: `#/components/responses/${name}` })

/**
 * The envelope of a success, or a refusal; if the contract declares them, also a failure with the fields next to `data`
 * (`failureHasFields`) and one whose `data` is the message (`messageInData`).
 */
function success(schemas: Schemas, { answer, extras: fields, failureHasFields, messageInData }: ApiCall): Piece {
  const extras = fields instanceof z.ZodObject ? fields.shape : {}
  const message = messageInData ? z.literal('success') : z.string()
  const envelope = z.object({ success: z.literal(true), message, data: answer, ...extras })
  const failure = z.object({ success: z.literal(false), message: z.string(), ...extras })
  const other = z.object({ success: z.literal(false), message: z.literal('error'), data: z.string() })
  const failures = [
    ...(failureHasFields ? [schemas.answered(failure)] : []),
    ...(messageInData ? [schemas.answered(other)] : []),
    refused,
  ]
  return {
    description: 'The result, or a refusal if success is false.',
    content: json({ anyOf: [schemas.answered(envelope), ...failures] }),
  }
}

function answerOf(schemas: Schemas, call: ApiCall): Piece {
  if (call.isEvent) return event(schemas, call)
  return call.sendsFile ? file(schemas, call.sendsFile, call) : success(schemas, call)
}

/** A file of one of several media types, of which only JSON has a schema; or a refusal. */
function file(schemas: Schemas, types: readonly string[], { answer }: ApiCall): Piece {
  const { properties } = schemas.answered(z.object({ data: answer }))
  const otherTypes = types.filter((type) => type !== 'application/json')
  return {
    description: 'A file, or a refusal. If the file cannot be completed, the connection is cut.',
    content: {
      ...Object.fromEntries(otherTypes.map((type) => [type, { schema: { type: 'string' } }])),
      ...json({ anyOf: [(properties as Piece).data as Piece, refused] }),
    },
  }
}

function event(schemas: Schemas, { answer }: ApiCall): Piece {
  const { properties } = schemas.answered(z.object({ data: answer }))
  return {
    description:
      'A stream that ends after its first event, whose data is JSON (x-event-data), or without an event after 15 minutes.',
    content: {
      'text/event-stream': { schema: { type: 'string' }, 'x-event-data': (properties as Piece).data },
      ...json(refused),
    },
  }
}

/** The parameters of a part of a request; one in the query is optional if the contract accepts its absence. */
function parametersOf(schemas: Schemas, part: z.ZodType | undefined, location: 'path' | 'query'): Piece[] {
  if (!(part instanceof z.ZodObject)) return []
  return Object.entries(part.shape).map(([name, field]) => {
    const { properties } = schemas.sent(z.object({ field: field as z.ZodType })) // the shape of a ZodObject holds nothing else
    const { description, ...schema } = (properties as Piece).field as Piece
    const isRequired = location === 'path' || !(field as z.ZodType).safeParse(undefined).success
    return { name, in: location, required: isRequired, ...(description ? { description } : {}), schema }
  })
}
