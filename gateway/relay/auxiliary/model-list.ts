import type { IncomingHttpHeaders } from 'node:http'
import { AUTO_GROUP, automaticGroups } from '../../accounts/groups.ts'
import { percentDecoded } from '../../base/bytes/percent.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import type { Settings } from '../../settings/settings.ts'
import { admitCaller } from '../admission/admit.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { AuxiliaryDeps, ModelsDeps } from './auxiliary-deps.ts'
import { sendJson } from './reply.ts'

/** The creation time that compatible gateways return for every model. */
const CREATED = 1_626_777_600
/** Max models of a list that is written at once; longer ones are written when it is their account's turn. */
const LONG_LIST = 100
const CREATED_TEXT = new Date(CREATED * 1000).toISOString()

/**
 * The models that a caller may use: those of its token, else those that its group offers at an accepted price
 * (docs/reference/endpoints.md#model-lists).
 */
function modelsFor({ settings, registry, prices }: ModelsDeps, caller: Caller): readonly string[] {
  if (caller.models) return [...caller.models]
  const acceptsUnset = settings.get('SelfUseModeEnabled') || caller.account.acceptUnset
  const names = groupsOf(settings, caller).flatMap((group) => registry.modelsOf(group))
  const book = prices()
  return [...new Set(names)].filter((name) => acceptsUnset || book.has(name))
}

function groupsOf(settings: Settings, { account, tokenGroup }: Caller): readonly string[] {
  const group = tokenGroup || account.group
  return group === AUTO_GROUP ? automaticGroups(account.group, settings) : [group]
}

/** The list in the given style, or the page of it that the query requests. */
function modelList(models: readonly string[], style: Style, query: string): object {
  const params = new URLSearchParams(query)
  if (style === 'anthropic') return anthropicPage(models, params)
  if (style === 'gemini') return geminiPage(models, params)
  return { success: true, object: 'list', data: models.map((id) => modelOf(id, style)) }
}

/** Anthropic's pages (its API reference, "List Models"): `limit` models after or before an id; all without a limit. */
function anthropicPage(models: readonly string[], params: URLSearchParams): object {
  const max = sizeIn(params, 'limit') ?? models.length
  const before = indexOf(models, params.get('before_id'), 'before_id')
  const start = (indexOf(models, params.get('after_id'), 'after_id') ?? -1) + 1
  const [from, to] = before === undefined ? [start, start + max] : [Math.max(before - max, 0), before]
  const page = models.slice(from, to)
  return {
    data: page.map((id) => modelOf(id, 'anthropic')),
    first_id: page[0] ?? null,
    has_more: before === undefined ? to < models.length : from > 0,
    last_id: page.at(-1) ?? null,
  }
}

/** Gemini's pages (its API reference, "models.list"): a token is the last model of the previous page. */
function geminiPage(models: readonly string[], params: URLSearchParams): object {
  const max = sizeIn(params, 'pageSize') ?? models.length
  const token = params.get('pageToken')
  const last = token ? Buffer.from(token, 'base64url').toString() : null
  const from = (indexOf(models, last, 'pageToken') ?? -1) + 1
  const page = models.slice(from, from + max)
  const isLast = from + max >= models.length
  const nextPageToken = isLast ? null : Buffer.from(page.at(-1) ?? '').toString('base64url')
  return { models: page.map((id) => modelOf(id, 'gemini')), nextPageToken }
}

const MAX_PAGE_SIZE = 1000

/**
 * The requested page size, at most `MAX_PAGE_SIZE`; undefined if the query has none or 0, which the vendors accept too.
 */
function sizeIn(params: URLSearchParams, field: string): number | undefined {
  const text = params.get(field)
  if (!text || text === '0') return undefined
  if (!/^\d{1,9}$/.test(text)) throw badPage(field)
  return Math.min(Number(text), MAX_PAGE_SIZE)
}

function indexOf(models: readonly string[], id: string | null, field: string): number | undefined {
  if (!id) return undefined
  const index = models.indexOf(id)
  if (index < 0) throw badPage(field)
  return index
}

const badPage = (field: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })

/** One model; throws 404 for a name that the caller cannot use. */
function oneModel(models: readonly string[], id: string, style: Style): object {
  if (models.includes(id)) return modelOf(id, style)
  throw refuse('missing', 'relay.noModel', { model: id }, { code: 'model_not_found', param: 'model' })
}

type Style = 'openai' | 'anthropic' | 'gemini'

/**
 * The vendor style of the list (and of errors) if the path does not decide it
 * (docs/reference/endpoints.md#model-lists).
 */
export function styleOf(headers: IncomingHttpHeaders, path: string, query: string): Style {
  if (path.startsWith('/v1beta/openai')) return 'openai'
  if (headers['anthropic-version']) return 'anthropic'
  const gemini = path.startsWith('/v1beta/') || headers['x-goog-api-key'] || /(^|&)key=/.test(query)
  return gemini ? 'gemini' : 'openai'
}

function modelOf(id: string, style: Style): object {
  if (style === 'anthropic') return { id, created_at: CREATED_TEXT, display_name: id, type: 'model' }
  if (style === 'gemini')
    return {
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    }
  return { id, object: 'model', created: CREATED, owned_by: ownerOf(id), permission: [], root: id, parent: null }
}

const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/^(gpt|o\d|chatgpt|dall-e|text-embedding|whisper|tts)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^(gemini|imagen)/, 'google'],
  [/^deepseek/, 'deepseek'],
  [/^(grok)/, 'xai'],
  [/^(mistral|codestral|pixtral)/, 'mistral'],
]

/** The vendor that a model's name indicates; `custom` if unknown. */
const ownerOf = (id: string): string => OWNERS.find(([pattern]) => pattern.test(id))?.[1] ?? 'custom'

/**
 * Sends a list of models, or the one with the id in the path, in the caller's style
 * (docs/reference/endpoints.md#model-lists).
 */
export async function answerModels(
  deps: AuxiliaryDeps,
  context: RequestContext,
  id: string | undefined,
): Promise<void> {
  const found = deps.identify(context)
  const { caller, suffix } = found instanceof Promise ? await found : found
  admitCaller(deps.relay, caller, context, suffix)
  const models = modelsFor(deps.models, caller)
  if (models.length > LONG_LIST) await yieldToOthers()
  const style: Style = context.format === 'responses' ? 'openai' : context.format
  const text = JSON.stringify(
    id ? oneModel(models, percentDecoded(id), style) : modelList(models, style, context.query),
  )
  // Counted, since pipelined requests are answered whether or not the responses are read.
  deps.relay.bodies.shareFor(context.owner, caller.account.id).grow(text.length)
  sendJson(context, 200, text)
}
