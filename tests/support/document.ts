import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { type ApiDocument, createDocument } from '../../gateway/api/openapi/document.ts'
import type { Piece } from '../../gateway/api/openapi/schema.ts'

/** An exchange with a gateway, as far as it is checked against the document. */
export type Exchange = Readonly<{
  method: string
  /** Includes the query. */
  path: string
  status: number
  /** The response's media type, with or without parameters. */
  type: string
  text: string
  sent?: string | undefined
}>

/** The document and its operations, by request. */
export interface Book {
  readonly document: ApiDocument
  /** Violations of the document in an exchange. */
  faultsOf(exchange: Exchange): string[]
  /** Whether a response is checked because the gateway itself produces it. */
  isHeld(method: string, path: string, status: number): boolean
  /** Violations in a value of the schema at this pointer into the document. */
  against(pointer: readonly string[], value: unknown): string[]
}

type Operation = Readonly<{ path: string; pattern: RegExp; piece: Piece }>

/** Opens the OpenAPI document of this source; schemas are compiled on first use. */
export function openBook(): Book {
  const document = createDocument('0.0.0')
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, addUsedSchema: false })
  ajv.addSchema(document, 'open')
  // Responses are checked strictly: a field missing from the contract is a fault of the contract.
  ajv.addSchema(closed(document) as ApiDocument, 'closed') // the same except for the restrictions that `closed` adds
  const operations = operationsOf(document)
  const find = (method: string, path: string): Operation | undefined =>
    operations.get(method.toLowerCase())?.find(({ pattern }) => pattern.test(path))
  const against = (book: 'open' | 'closed', pointer: readonly string[], value: unknown): string[] => {
    const place = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const check = ajv.getSchema(`${book}#/${place}`)
    if (!check) return [`the document has nothing at ${place}`]
    return check(value) ? [] : [ajv.errorsText((check as ValidateFunction).errors, { dataVar: 'body' })]
  }
  return {
    document,
    against: (pointer, value) => against('open', pointer, value),
    isHeld(method, url, status) {
      const path = pathOf(url)
      if (path === '/api' || path.startsWith('/api/') || status >= 400) return true
      const piece = find(method, path)?.piece
      // Relayed responses are the vendor's.
      return piece !== undefined && method !== 'POST'
    },
    faultsOf({ method, path: url, status, type, text, sent }) {
      const path = pathOf(url)
      const media = type.split(';')[0]?.trim() ?? ''
      const operation = find(method, path)
      const told = (faults: string[]) => faults.map((fault) => `${method} ${url} ${status}: ${fault}`)
      if (media !== 'application/json') return []
      const json = parsed(text)
      if (isOfTheFront(json)) return told(against('closed', ['components', 'schemas', 'OpenAIError'], json))
      if (!operation) return told(unknownPath(path, status, json, against))
      const place = ['paths', operation.path, method.toLowerCase()]
      const answers = operation.piece.responses as Readonly<Record<string, Piece>> // as OpenAPI has them
      const key = [String(status), `${String(status)[0]}XX`].find((name) => answers[name])
      if (!key) return told(['the document has no such status'])
      const { $ref } = answers[key] ?? {}
      const at = typeof $ref === 'string' ? $ref.slice(2).split('/') : [...place, 'responses', key]
      const faults = against('closed', [...at, 'content', media, 'schema'], json)
      if (faults.length > 0 || !sent || !isGood(json, status) || !operation.piece.requestBody) return told(faults)
      const taken = against('open', [...place, 'requestBody', 'content', 'application/json', 'schema'], parsed(sent))
      return told(taken.map((fault) => `was taken with a body that the document does not have: ${fault}`))
    },
  }
}

/** A response to an unknown path or method: never a success. */
function unknownPath(
  path: string,
  status: number,
  json: unknown,
  against: (book: 'closed', pointer: readonly string[], value: unknown) => string[],
): string[] {
  if (status < 400) return ['answers, and the document does not have it']
  const isConsole = path === '/api' || path.startsWith('/api/')
  const names = isConsole
    ? ['OpenAIError', 'Refusal']
    : ['OpenAIError', 'AnthropicError', 'GeminiError', 'DrawingError', 'TaskError']
  const faults = names.map((name) => against('closed', ['components', 'schemas', name], json))
  return faults.some((found) => found.length === 0) ? [] : faults.flat()
}

const front = ['misdirected_request', 'several_hosts', 'invalid_target', 'method_not_allowed']

/** Refusals of gateway/api/front.ts before it reads the path, all in one shape. */
const isOfTheFront = (json: unknown): boolean =>
  front.includes((json as { error?: { code?: string } } | undefined)?.error?.code ?? '')

const isGood = (json: unknown, status: number): boolean =>
  status < 300 && (json as { success?: boolean } | undefined)?.success !== false

function operationsOf({ paths }: ApiDocument): ReadonlyMap<string, readonly Operation[]> {
  const byMethod = new Map<string, Operation[]>()
  const fixedFirst = Object.keys(paths).sort((one, other) => weight(other) - weight(one))
  for (const path of fixedFirst) {
    for (const [method, piece] of Object.entries(paths[path] ?? {})) {
      const known = byMethod.get(method) ?? []
      known.push({ path, pattern: patternOf(path), piece })
      byMethod.set(method, known)
    }
  }
  return byMethod
}

/** Orders paths without parameters before those with some. */
const weight = (path: string): number => path.length - (path.includes('{') ? 1000 : 0)

/** The paths that match a template; a model's name may contain slashes. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.:]/g, '\\$&')
      .replace('{model}', '.+')
      .replace(/\{\w+\}/g, '[^/]+')}/?$`,
  )

const pathOf = (url: string): string => url.split('?')[0] ?? ''

/** A schema in which every object with fields is closed, unless it says otherwise. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, closed(field)]))
  const isOpen = !('properties' in inner) || inner.type !== 'object' || 'additionalProperties' in inner
  return isOpen ? inner : { ...inner, additionalProperties: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
