import { areas } from './areas.ts'
import { consoleOperations, consoleResponses, consoleSecurity, type Operation, refusal } from './console.ts'
import { paymentOperations } from './payment.ts'
import { dialectTags, relayedOperations } from './relay.ts'
import { errorSchemas, misdirected, relaySecurity } from './relay-errors.ts'
import { taskOperations, taskTag } from './relay-tasks.ts'
import { unchargedOperations } from './relay-uncharged.ts'
import { createSchemas, type Piece } from './schema.ts'

export const DOCUMENT_PATH = '/api/openapi.json'
export const VIEWER_PATH = '/api/docs'

/** The gateway's API as an OpenAPI 3.1 document; contains no secrets and is the same for all readers. */
export type ApiDocument = Readonly<{
  openapi: '3.1.1'
  info: Piece
  tags: readonly Piece[]
  paths: Readonly<Record<string, Readonly<Record<string, Piece>>>>
  components: Readonly<{
    schemas: Readonly<Record<string, Piece>>
    responses: Readonly<Record<string, Piece>>
    securitySchemes: Readonly<Record<string, Piece>>
  }>
}>

/**
 * Builds the document from what the gateway serves: the contracts of `shared/api` and the tables of the relay. Throws
 * if two operations share a path and method, or an id.
 */
export function createDocument(version: string): ApiDocument {
  const schemas = createSchemas()
  const relayed = [...relayedOperations(), ...unchargedOperations(), ...taskOperations()]
  const operations = [...relayed, ...consoleOperations(schemas), ...paymentOperations, ...ownOperations]
  return {
    openapi: '3.1.1',
    info: { title: 'Switchyard', version, description: about },
    tags: tags(),
    paths: pathsOf(operations),
    components: {
      schemas: { ...errorSchemas, Refusal: refusal, ...schemas.named },
      responses: { ...consoleResponses, Misdirected: misdirected },
      securitySchemes: { ...relaySecurity, ...consoleSecurity },
    },
  }
}

const about = `Programs call the models behind this gateway under \`/v1\` and \`/v1beta\` with an API token, in the dialect of their choice.
A body passes unchanged if the provider uses the same dialect, so only the fields that the gateway reads are listed here. Errors
have the form of the path's dialect and the id of their request (also in \`X-Request-Id\`). Paths that only the providers
implement get 501.

The console's own endpoints are under \`/api\`. They return an envelope: \`success\`, \`message\` and \`data\`. A refused
request gets HTTP 200 and \`success: false\`, unless its responses below document another status. Bodies are JSON of at most
1 MiB (24 MiB for a catalogue of prices); unknown fields are ignored.`

const relayTags: readonly Piece[] = [
  {
    name: dialectTags.openai,
    description: "Relayed requests in OpenAI's formats: chat, embeddings, images, audio.",
  },
  { name: dialectTags.responses, description: 'Relayed requests in the format of OpenAI Responses.' },
  { name: dialectTags.anthropic, description: 'Relayed requests in the format of Anthropic Messages.' },
  { name: dialectTags.gemini, description: "Relayed requests in Gemini's formats." },
  { name: taskTag, description: 'Background tasks of Midjourney and Suno.' },
  { name: 'Billing', description: 'Quota and usage of a key.' },
  { name: 'Playground', description: 'The playground of the console.' },
]

const tags = (): Piece[] => [
  ...relayTags,
  ...areas.map(({ tag, about: description }) => ({ name: tag, description })),
  { name: 'Documents', description: 'This document.' },
]

/** Operations without contracts: the document itself, and its viewer. */
const ownOperations: readonly Operation[] = [
  own(DOCUMENT_PATH, 'apiDocument', 'Returns this document.', { 'application/json': { schema: { type: 'object' } } }),
  own(VIEWER_PATH, 'apiViewer', 'Shows this document in a browser.', { 'text/html': { schema: { type: 'string' } } }),
]

function own(path: string, operationId: string, summary: string, content: Piece): Operation {
  const limited =
    path === DOCUMENT_PATH ? { $ref: '#/components/responses/Limited' } : { description: 'Too many requests.' }
  return {
    path,
    method: 'get',
    operation: {
      operationId,
      tags: ['Documents'],
      summary,
      security: [],
      responses: {
        200: { description: 'The current version.', content },
        304: { description: 'Unchanged (If-None-Match).' },
        429: limited,
      },
    },
  }
}

function pathsOf(operations: readonly Operation[]): Record<string, Record<string, Piece>> {
  const paths: Record<string, Record<string, Piece>> = {}
  const ids = new Set<unknown>()
  for (const { path, method, operation } of operations) {
    const methods = paths[path] ?? {}
    if (methods[method]) throw new Error(`two operations are ${method} ${path}`)
    if (ids.has(operation.operationId)) throw new Error(`two operations are called ${operation.operationId}`)
    ids.add(operation.operationId)
    methods[method] = operation
    paths[path] = methods
  }
  return paths
}
