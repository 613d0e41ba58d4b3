import type { IncomingHttpHeaders } from 'node:http'
import { AUTO_GROUP, mayUseGroup } from '../../accounts/groups.ts'
import { refuse } from '../../base/errors.ts'
import type { PriceBook } from '../../billing/price.ts'
import type { Roster } from '../../channels/roster.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Caller } from '../identify.ts'

export type ModelsDeps = Readonly<{ settings: Settings; roster: Roster; prices: () => PriceBook }>

/** The day the family's lists give for every model. */
const CREATED = 1_626_777_600

/** The models a caller may use: its own limits, else what its group offers at a price it accepts (spec/relay.md §1.4). */
export function modelsFor({ settings, roster, prices }: ModelsDeps, caller: Caller): readonly string[] {
  if (caller.models) return [...caller.models]
  const acceptsUnset = settings.get('SelfUseModeEnabled') || caller.account.acceptUnset
  const names = groupsOf(settings, caller).flatMap((group) => roster.modelsOf(group))
  const book = prices()
  return [...new Set(names)].filter((name) => acceptsUnset || book.has(name))
}

function groupsOf(settings: Settings, { account, tokenGroup }: Caller): readonly string[] {
  const group = tokenGroup || account.group
  return group === AUTO_GROUP
    ? settings.get('AutoGroups').filter((name) => mayUseGroup(account.group, name, settings))
    : [group]
}

/** The list in the style the caller's headers ask for: Anthropic's, Gemini's, else OpenAI's. */
export function modelList(models: readonly string[], style: Style): object {
  const data = models.map((id) => modelOf(id, style))
  if (style === 'anthropic')
    return { data, first_id: models[0] ?? null, has_more: false, last_id: models.at(-1) ?? null }
  return style === 'gemini' ? { models: data, nextPageToken: null } : { success: true, object: 'list', data }
}

/** One model; refuses (404) a name the caller cannot use. */
export function oneModel(models: readonly string[], id: string, style: Style): object {
  if (models.includes(id)) return modelOf(id, style)
  throw refuse('missing', 'relay.noModel', { model: id }, { code: 'model_not_found', param: 'model' })
}

export type Style = 'openai' | 'anthropic' | 'gemini'

/** Which vendor's list a request expects (spec/relay.md §1.4). */
export function styleOf(headers: IncomingHttpHeaders, path: string, query: string): Style {
  if (headers['x-api-key'] && headers['anthropic-version']) return 'anthropic'
  const gemini = path.startsWith('/v1beta/models') || headers['x-goog-api-key'] || /(^|&)key=/.test(query)
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
