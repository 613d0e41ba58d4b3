import { type GatewayError, refuse } from '../../base/errors.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../base/json/json.ts'
import { type AddressRule, isPrivateUrl } from '../../base/network/address-guard.ts'
import type { ChannelSetting } from '../../channels/registry/active-channel.ts'
import type { Json } from '../formats/codec.ts'
import { OWN_FILE } from '../formats/gemini/media.ts'
import { messageIn, messagesIn } from '../formats/gemini/message.ts'
import { mediaRefusals } from '../media/refusals.ts'
import type { Endpoint } from '../model/endpoint.ts'

/** Checks a request in its caller's dialect; throws a refusal of kind `invalid`. */
export type CheckReferences = (json: Json, endpoint: Endpoint, setting: ChannelSetting) => void

/**
 * Checks what a request has the vendor read elsewhere (docs/reference/security.md#vendor-references). Data of the
 * provider's account is the operator's, since callers cannot upload any: refused unless the channel allows it. Files by
 * URL must not be at a private address, because a vendor of the channel may be a server in the operator's network.
 */
export const createCheckReferences =
  (rule: AddressRule): CheckReferences =>
  (json, endpoint, setting) => {
    for (const { name, url } of references[endpoint]?.(json) ?? [])
      if (url !== undefined) checkUrl(url, rule)
      else if (!setting.allow_account_data) throw accountData(name)
  }

/** A member that names data of the account, or a file by its URL. */
type Reference = Readonly<{ name: string; url?: string }>
type References = (json: Json) => Iterable<Reference>

const accountData = (field: string): GatewayError =>
  refuse('invalid', 'relay.accountData', { field }, { code: 'account_data_not_allowed', param: field })

function checkUrl(text: string, rule: AddressRule): void {
  if (/^data:/i.test(text)) return
  const url = URL.parse(text)
  // Some vendors take base64 without `data:`.
  if (!url) return
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw mediaRefusals.url()
  if (isPrivateUrl(url, rule)) throw mediaRefusals.address(url.host)
}

/** Azure ("On Your Data"), Cohere ("Connectors"), Alibaba ("RAG options"). */
const ACCOUNT_MEMBERS = ['data_sources', 'dataSources', 'connectors', 'rag_options']

function* chat(json: Json): Iterable<Reference> {
  yield* named(json, ACCOUNT_MEMBERS)
  // Zhipu ("Knowledge base retrieval").
  for (const tool of objectsIn(json.tools)) yield* named(tool, ['retrieval'], 'tools.')
  for (const message of objectsIn(json.messages)) yield* openAiParts(message.content)
}

/** OpenAI ("Responses", "File search", "Code interpreter", "Reusable prompts"), xAI ("Collections search"). */
function* responses(json: Json): Iterable<Reference> {
  yield* named(json, ACCOUNT_MEMBERS)
  if (isObject(json.prompt)) yield* named(json.prompt, ['id'], 'prompt.')
  for (const tool of objectsIn(json.tools)) {
    yield* named(tool, ['vector_store_ids', 'collection_ids'], 'tools.')
    yield* addressed(tool, 'server_url', 'tools.')
    if (isObject(tool.container)) yield* named(tool.container, ['file_ids'], 'tools.container.')
  }
  for (const item of objectsIn(json.input)) {
    yield* openAiParts(item.content)
    yield* openAiParts(item.output)
  }
}

const URL_PARTS = ['image_url', 'video_url', 'audio_url', 'file_url', 'input_audio', 'file']

function* openAiParts(content: unknown): Iterable<Reference> {
  for (const part of objectsIn(content)) {
    yield* named(part, ['file_id'], 'content.')
    for (const name of URL_PARTS) {
      const value = part[name]
      if (isObject(value)) yield* named(value, ['file_id'], `content.${name}.`)
      const url = textIn(isObject(value) ? (value.url ?? value.file_url) : value)
      if (url !== undefined) yield { name, url }
    }
  }
}

/** Anthropic ("Files API", "Skills"). */
function* messages(json: Json): Iterable<Reference> {
  if (isObject(json.container))
    for (const skill of objectsIn(json.container.skills))
      if (skill.type === 'custom') yield { name: 'container.skills' }
  for (const server of objectsIn(json.mcp_servers)) yield* addressed(server, 'url', 'mcp_servers.')
  for (const message of objectsIn(json.messages)) yield* anthropicParts(message.content)
  yield* anthropicParts(json.system)
}

function* anthropicParts(content: unknown): Iterable<Reference> {
  for (const part of objectsIn(content)) {
    yield* named(part, ['file_id'], 'content.')
    if (isObject(part.source)) {
      yield* named(part.source, ['file_id'], 'content.source.')
      yield* addressed(part.source, 'url', 'content.source.')
    }
    yield* anthropicParts(part.content)
  }
}

/** Gemini API and Vertex AI ("Content caching", "Grounding", "File search", "Files API"); names in both spellings. */
function* generate(json: Json): Iterable<Reference> {
  const request = messageIn(json)
  yield* named(request, ['cachedContent'])
  for (const tool of messagesIn(request.tools)) yield* named(tool, ['retrieval', 'fileSearch'], 'tools.')
  for (const content of messagesIn(request.contents)) yield* geminiParts(content.parts)
  yield* geminiParts(messageIn(request.systemInstruction).parts)
}

function* geminiParts(parts: unknown): Iterable<Reference> {
  for (const part of messagesIn(parts)) {
    const name = 'fileData.fileUri'
    const uri = textIn(messageIn(part.fileData).fileUri)
    if (uri !== undefined) yield OWN_FILE.test(uri) ? { name } : { name, url: uri }
    const response = messageIn(part.functionResponse)
    if (response.parts !== undefined) yield* geminiParts(response.parts)
  }
}

/** The first message of a Live session. */
const live: References = (json) => generate(messageIn(messageIn(json).setup))

/** Gemini API ("Embeddings"). */
function* embedContent(json: Json): Iterable<Reference> {
  for (const request of [json, ...messagesIn(json.requests)])
    for (const content of messagesIn(messageIn(request).content)) yield* geminiParts(content.parts)
}

/** Vertex AI ("Imagen API"): files to read from Cloud Storage, and where to write the images. */
function* predict(json: Json): Iterable<Reference> {
  for (const message of [...messagesIn(json.instances), ...messagesIn(json.parameters)]) {
    yield* named(message, ['gcsUri', 'storageUri'])
    for (const value of Object.values(message)) if (typeof value === 'object') yield* predict({ instances: value })
  }
}

/** Images to edit, and media to embed, rank or moderate. */
function* media(json: Json): Iterable<Reference> {
  const members = [json.image, json.images, json.mask, json.image_url, json.input, json.documents, json.query]
  for (const one of members.flat()) {
    if (!isObject(one)) continue
    yield* named(one, ['file_id'], '')
    yield* openAiParts([one])
    const url = textIn(one.image) ?? textIn(one.url)
    if (url !== undefined) yield { name: 'url', url }
  }
}

const references: Readonly<Partial<Record<Endpoint, References>>> = {
  chat,
  responses,
  messages,
  generate,
  live,
  predict,
  'embed-content': embedContent,
  'batch-embed-contents': embedContent,
  images: media,
  'image-edits': media,
  embeddings: media,
  moderations: media,
  rerank: media,
}

function* named(json: JsonObject, names: readonly string[], where = ''): Iterable<Reference> {
  for (const name of names) if (isNamed(json[name])) yield { name: where + name }
}

function* addressed(json: JsonObject, name: string, where: string): Iterable<Reference> {
  const url = textIn(json[name])
  if (url !== undefined) yield { name: where + name, url }
}

/** Empty lists and null name nothing. */
const isNamed = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
