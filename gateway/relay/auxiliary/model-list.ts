import type { IncomingHttpHeaders } from 'node:http'
import { AUTO_GROUP, automaticGroups } from '../../accounts/groups.ts'
import { percentDecoded } from '../../base/bytes/percent.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import type { PriceBook } from '../../billing/price.ts'
import type { ChannelRegistry } from '../../channels/registry/channel-registry.ts'
import type { Settings } from '../../settings/settings.ts'
import { admitCaller } from '../admission/admit.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { sendJson } from './reply.ts'

export type ModelsDeps = Readonly<{ settings: Settings; registry: ChannelRegistry; prices: () => PriceBook }>

/** The day the family's lists give for every model. */
const CREATED = 1_626_777_600

/**
 * The models a caller may use: its own limits, else what its group offers at a price it accepts
 * (docs/reference/endpoints.md#model-lists).
 */
export function modelsFor({ settings, registry, prices }: ModelsDeps, caller: Caller): readonly string[] {
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

/** The list in the style its reader expects, or the page of it that the query asks for. */
export function modelList(models: readonly string[], style: Style, query: string): object {
  const asked = new URLSearchParams(query)
  if (style === 'anthropic') return anthropicPage(models, asked)
  if (style === 'gemini') return geminiPage(models, asked)
  return { success: true, object: 'list', data: models.map((id) => modelOf(id, style)) }
}

/** Anthropic's pages (its API reference, "List Models"): `limit` models after or before an id; all where no limit is given. */
function anthropicPage(models: readonly string[], asked: URLSearchParams): object {
  const max = sizeIn(asked, 'limit') ?? models.length
  const before = placeOf(models, asked.get('before_id'), 'before_id')
  const start = (placeOf(models, asked.get('after_id'), 'after_id') ?? -1) + 1
  const [from, to] = before === undefined ? [start, start + max] : [Math.max(before - max, 0), before]
  const page = models.slice(from, to)
  return {
    data: page.map((id) => modelOf(id, 'anthropic')),
    first_id: page[0] ?? null,
    has_more: before === undefined ? to < models.length : from > 0,
    last_id: page.at(-1) ?? null,
  }
}

/** Gemini's pages (its API reference, "models.list"): a token names the last model of the page before. */
function geminiPage(models: readonly string[], asked: URLSearchParams): object {
  const max = sizeIn(asked, 'pageSize') ?? models.length
  const token = asked.get('pageToken')
  const last = token ? Buffer.from(token, 'base64url').toString() : null
  const from = (placeOf(models, last, 'pageToken') ?? -1) + 1
  const page = models.slice(from, from + max)
  const isLast = from + max >= models.length
  const nextPageToken = isLast ? null : Buffer.from(page.at(-1) ?? '').toString('base64url')
  return { models: page.map((id) => modelOf(id, 'gemini')), nextPageToken }
}

const MAX_PAGE_SIZE = 1000

/** How many models a page may have; undefined where nothing (or nothing sensible, as vendors have it: 0) is asked for. */
function sizeIn(asked: URLSearchParams, field: string): number | undefined {
  const text = asked.get(field)
  if (!text || text === '0') return undefined
  if (!/^\d{1,9}$/.test(text)) throw badPage(field)
  return Math.min(Number(text), MAX_PAGE_SIZE)
}

function placeOf(models: readonly string[], id: string | null, field: string): number | undefined {
  if (!id) return undefined
  const place = models.indexOf(id)
  if (place < 0) throw badPage(field)
  return place
}

const badPage = (field: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })

/** One model; refuses (404) a name the caller cannot use. */
function oneModel(models: readonly string[], id: string, style: Style): object {
  if (models.includes(id)) return modelOf(id, style)
  throw refuse('missing', 'relay.noModel', { model: id }, { code: 'model_not_found', param: 'model' })
}

export type Style = 'openai' | 'anthropic' | 'gemini'

/**
 * Which vendor's list (and errors) a request expects where its path does not say
 * (docs/reference/endpoints.md#model-lists).
 */
export function styleOf(headers: IncomingHttpHeaders, path: string, query: string): Style {
  if (path.startsWith('/v1beta/openai')) return 'openai'
  if (headers['anthropic-version']) return 'anthropic'
  const gemini = path.startsWith('/v1beta/') || headers['x-goog-api-key'] || /(^|&)key=/.test(query)
  return gemini ? 'gemini' : 'openai'
}

function modelOf(id: string, style: Style): object {
  if (style === 'anthropic')
    return { id, created_at: new Date(CREATED * 1000).toISOString(), display_name: id, type: 'model' }
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

/** Whose model a name says it is; `custom` where it says nothing. */
export const ownerOf = (id: string): string => OWNERS.find(([pattern]) => pattern.test(id))?.[1] ?? 'custom'

/**
 * Answers a list of models, or the one with the id in the path, in the caller's style
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
  const style: Style = context.format === 'responses' ? 'openai' : context.format
  const text = JSON.stringify(
    id ? oneModel(models, percentDecoded(id), style) : modelList(models, style, context.query),
  )
  // Requests that come one behind another on a connection are answered whether it is read or not.
  deps.relay.bodies.roomFor(context.response, caller.account.id).grow(text.length)
  sendJson(context, 200, text)
}
