import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAreas } from '../../../gateway/api/areas.ts'
import { DOCUMENT_PATH, VIEWER_PATH } from '../../../gateway/api/openapi/document.ts'
import type { Piece } from '../../../gateway/api/openapi/schema.ts'
import { keyFrom } from '../../../gateway/relay/admission/credentials.ts'
import { paths as auxiliaryPaths } from '../../../gateway/relay/auxiliary/auxiliary.ts'
import { endpointSpecs } from '../../../gateway/relay/intake/endpoint-specs.ts'
import { actions, routeFor, routes } from '../../../gateway/relay/intake/relay-routes.ts'
import { LIVE_PATH } from '../../../gateway/relay/providers/gemini.ts'
import { drawingPaths } from '../../../gateway/relay/tasks/drawings/drawing-paths.ts'
import { sunoPaths } from '../../../gateway/relay/tasks/task-routes.ts'
import { NOTIFY_PATH } from '../../../gateway/wallet/epay.ts'
import type { ApiCall } from '../../../shared/api/call.ts'
import { openBook } from '../../support/document.ts'
import { anEpay } from '../../support/epay.ts'
import { aWorld, type World } from '../../support/world.ts'

const book = openBook()
const { document } = book
/** Every operation, named like `GET /api/token/{id}`. */
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
)
const isConsole = ({ path }: { path: string }) => path.startsWith('/api/')
const own = [`GET ${DOCUMENT_PATH}`, `GET ${VIEWER_PATH}`, `GET ${NOTIFY_PATH}`, `POST ${NOTIFY_PATH}`]
const written = ({ method, path }: Pick<ApiCall, 'method' | 'path'>) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
const sampleOf = (path: string) => path.replace('{kind}', 'test').replace(/\{(\w+)\}/g, '7')

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  it('has every call that the router is given, and no other', () => {
    const served = createAreas(anything as never).flatMap((area) => area.map(({ call }) => written(call)))
    const told = operations.filter(isConsole).map(({ name }) => name)
    expect(told.sort()).toEqual([...served, ...own].sort())
  })

  it('has what a payment provider sends, by query and by form, and the reply it gets', async () => {
    const epay = await anEpay()
    const { pid, name, type, ...sent } = Object.fromEntries(
      new URLSearchParams(epay.notice({ out_trade_no: '1', money: '1' })),
    )
    await epay.stop()
    const { get, post } = document.paths[NOTIFY_PATH] as Record<string, Piece>
    const asked = get?.parameters as { name: string; required: boolean }[]
    const form = at(post?.requestBody, 'content', 'application/x-www-form-urlencoded', 'schema') as Piece
    expect(asked.map((one) => one.name).sort()).toEqual(Object.keys({ ...sent, pid }).sort())
    expect(asked.filter(({ required }) => required).map((one) => one.name)).toEqual(form.required)
    for (const operation of [get, post]) {
      expect(operation?.security).toEqual([])
      expect(at(operation?.responses, '200', 'content', 'text/plain', 'schema', 'enum')).toEqual(['success', 'fail'])
    }
  })

  it('has every contract of shared/api', async () => {
    const folder = join(import.meta.dirname, '../../../shared/api')
    const modules = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name))))
    const calls = modules.flatMap((module) => Object.values(module)).flatMap(callsIn)
    expect(calls.length).toBeGreaterThan(70)
    expect(calls.map(written).filter((name) => !operations.some((operation) => operation.name === name))).toEqual([])
  })

  it('has every path of the relay, and no other', () => {
    const relayed = Object.keys(routes)
    const gemini = ['/v1', '/v1beta'].flatMap((version) =>
      Object.keys(actions).map((action) => `POST ${version}/models/{model}:${action}`),
    )
    const beside = auxiliaryPaths.flatMap(([method, pattern]) =>
      [...new Set(expanded(pattern))].map((path) => `${method} ${path}`),
    )
    const sockets = ['GET /v1/realtime', 'GET /v1/responses', `GET ${LIVE_PATH}`]
    const drawn = ['/mj', '/{mode}/mj'].flatMap((place) =>
      drawingPaths.map(([method, end]) => `${method} ${place}/${end}`),
    )
    const tasks = [...drawn, ...sunoPaths.map((path) => path.join(' '))]
    const served = [...relayed, ...gemini, 'POST /v1/engines/{model}/embeddings', ...beside, ...sockets, ...tasks]
    const told = operations.filter((operation) => !isConsole(operation)).map(({ name }) => name)
    expect(told.map(nameless).sort()).toEqual(served.map(nameless).sort())
  })

  it('describes each operation in a sentence, under a tag that is declared', () => {
    const tags = document.tags.map(({ name }) => name)
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toMatch(/^[A-Z].*\.$/)
      expect(tags, name).toContain((operation.tags as string[])[0])
    }
  })

  it('declares the parameters that a path has', () => {
    for (const { name, path, operation } of operations) {
      const parameters = (operation.parameters ?? []) as Piece[]
      const told = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      expect(told.sort(), name).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part).sort())
    }
  })
})

describe('the operations of the document are served', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
  })

  it.each(operations.filter(({ operation }) => !isSocket(operation)))('$name', async ({ method, path, operation }) => {
    const body = operation.requestBody ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    const response = await fetch(world.url + sampleOf(path), { method, ...body })
    expect([404, 405, 501]).not.toContain(response.status)
    const security = JSON.stringify(operation.security)
    const isOpen = security === '[]' || security.includes('{}')
    // Some calls need no login but require a valid user-id header.
    if (!isOpen) expect(response.status).toBe(security.includes('{"userId":[]}') ? 403 : 401)
  })

  it.each(operations.filter(({ operation }) => isSocket(operation)))('$name as a socket', async ({ path }) => {
    expect(await upgraded(world.url + path)).toBe(401)
    expect(await upgraded(`${world.url}/v1/elsewhere`)).toBe(404)
  })
})

describe('where a key may be sent', () => {
  const sent: Record<string, (path: string) => ReturnType<typeof keyFrom>> = {
    relayKey: (path) => keyFrom({ authorization: 'Bearer sk-one' }, path, ''),
    anthropicKey: (path) => keyFrom({ 'x-api-key': 'sk-one' }, path, ''),
    googleKey: (path) => keyFrom({ 'x-goog-api-key': 'sk-one' }, path, ''),
    googleQueryKey: (path) => keyFrom({}, path, 'key=sk-one'),
  }
  it.each(operations.filter((operation) => !isConsole(operation) && !operation.path.startsWith('/pg/')))(
    '$name',
    ({ path, operation }) => {
      const declared = (operation.security as Piece[]).flatMap((scheme) => Object.keys(scheme))
      const taken = Object.keys(sent).filter((scheme) => sent[scheme]?.(sampleOf(path)) !== null)
      expect(declared).toEqual(taken)
    },
  )
})

describe('the bodies of relayed calls', () => {
  const relayed = operations.flatMap(({ name, method, path, operation }) => {
    const found = routeFor(method, sampleOf(path))
    const content = (operation.requestBody as { content: Record<string, { schema: Piece; example?: Piece }> })?.content
    return found ? [{ name, path, endpoint: found.route.endpoint, content }] : []
  })
  const faults = (path: string, body: unknown) =>
    book.against(['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'], body)
  const isTaken = (endpoint: keyof typeof endpointSpecs, body: Piece) => {
    try {
      endpointSpecs[endpoint].check({ ...body }, String(body.model ?? ''))
      endpointSpecs[endpoint].maxOutput({ ...body }, String(body.model ?? ''))
      return true
    } catch {
      return false
    }
  }

  it.each(relayed.filter(({ content }) => content['application/json']))(
    '$name: the example is accepted, and every required field is required',
    ({ path, endpoint, content }) => {
      const { schema, example = {} } = content['application/json'] ?? {}
      expect(faults(path, example)).toEqual([])
      expect(isTaken(endpoint, example)).toBe(true)
      const needed = (schema?.required ?? []) as string[]
      for (const field of needed.filter((name) => name !== 'model')) {
        const { [field]: _, ...rest } = example
        expect(faults(path, rest), field).not.toEqual([])
        expect(isTaken(endpoint, rest), field).toBe(false)
      }
    },
  )

  it.each(relayed.filter(({ content }) => !content['application/json']))(
    '$name: a form with the required fields',
    ({ endpoint, content }) => {
      expect(content['multipart/form-data']?.schema.required).toEqual(['file'])
      expect([isTaken(endpoint, { file: {} }), isTaken(endpoint, {})]).toEqual([true, false])
    },
  )

  const messages = [{ role: 'user', content: 'Hello' }]
  it.each([
    ['/v1/chat/completions', { model: 'a', messages: [] }],
    ['/v1/chat/completions', { model: 'a', messages: 'Hello' }],
    ['/v1/chat/completions', { model: 'a', messages, max_tokens: -1 }],
    ['/v1/chat/completions', { model: 'a', messages, max_tokens: null }],
    ['/v1/chat/completions', { model: 'a', messages, n: 129 }],
    ['/v1/chat/completions', { model: 'a', messages, n: 1.5 }],
    ['/v1/chat/completions', { model: 'a', messages, web_search_options: { search_context_size: 'huge' } }],
    ['/v1/chat/completions', { model: 'a', messages, unknown: [1] }],
    ['/v1/messages', { model: 'a', messages, max_tokens: '5' }],
    ['/v1/responses', { model: 'a' }],
    ['/v1/responses', { model: 'a', input: '' }],
    ['/v1/responses', { model: 'a', prompt: { id: 'p' } }],
    ['/v1/responses', { model: 'a', previous_response_id: '' }],
    ['/v1/responses/compact', { model: 'a', input: 'Hello' }],
    ['/v1/responses', { model: 'a', input: 'Hello', background: true }],
    ['/v1/responses', { model: 'a', input: 'Hello', background: false }],
    ['/v1/completions', { model: 'a', prompt: [] }],
    ['/v1/completions', { model: 'a', prompt: 'a', best_of: 200 }],
    ['/v1/audio/speech', { input: ['a'] }],
    ['/v1/rerank', { model: 'a', query: 'a', documents: 'b' }],
    ['/v1beta/models/{model}:generateContent', { contents: [] }],
    ['/v1beta/models/{model}:generateContent', { contents: 'a', generationConfig: { candidateCount: 500 } }],
    ['/v1beta/models/{model}:generateContent', { contents: 'a', generationConfig: { maxOutputTokens: 9 } }],
  ] as [string, Piece][])('%s %j is taken by both or by neither', (path, body) => {
    const found = relayed.find((one) => one.path === path)
    if (!found) throw new Error(`${path} is not relayed`)
    expect(faults(path, body).length === 0).toBe(isTaken(found.endpoint, body))
  })
})

/** Stands in for every dependency of the API's areas. */
const anything: unknown = new Proxy(() => anything, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : anything),
  apply: () => anything,
})

const callsIn = (value: unknown): ApiCall[] =>
  typeof value === 'object' && value !== null && !('_zod' in value) ? Object.values(value).filter(isCall) : []

const isCall = (value: unknown): value is ApiCall =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

const isSocket = ({ responses }: Piece): boolean => '101' in (responses as Piece)

/** Names of parameters do not matter outside the handler. */
const nameless = (name: string): string => name.replace(/\{\w+\}/g, '{}')

/** The paths that match a pattern in the relay's table; capture groups become parameters. */
function expanded({ source }: RegExp): string[] {
  const text = source.slice(1, -1).replaceAll('\\/', '/')
  const opens = text.lastIndexOf('(')
  if (opens < 0) return [text]
  const closes = text.indexOf(')', opens)
  const [before, inside, after] = [text.slice(0, opens), text.slice(opens + 1, closes), text.slice(closes + 1)]
  const isMaybe = after.startsWith('?')
  const isParameter = inside.includes('+')
  const choices = isParameter ? ['{}'] : inside.replace(/^\?:/, '').split('|')
  return [...choices, ...(isMaybe ? [''] : [])].flatMap((choice) =>
    expanded(new RegExp(`^${before}${choice}${isMaybe ? after.slice(1) : after}$`)),
  )
}

/** The status of the response to a WebSocket upgrade. */
const upgraded = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const outgoing = request(url, { headers, agent: false }, (incoming) => {
      incoming.resume()
      resolve(incoming.statusCode)
    })
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(101)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

/** The value at a path within a piece of the document. */
const at = (piece: unknown, ...names: string[]): unknown =>
  names.reduce((found, name) => (found as Piece | undefined)?.[name], piece)
