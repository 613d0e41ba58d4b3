import { SNIFFED_BYTES, sniffed } from '../../base/bytes/mime-type.ts'
import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject, type JsonObject, textIn } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { type AddressRule, isPrivateUrl } from '../../base/network/address-guard.ts'
import { parsedAddress } from '../../base/network/web-address.ts'
import type { ChannelSetting } from '../../channels/registry/active-channel.ts'
import { OWN_FILE } from '../formats/gemini/media.ts'
import { folded } from '../intake/known-members.ts'
import { mediaRefusals } from '../media/refusals.ts'

/** Checks a request in its caller's dialect; throws a refusal of kind `invalid`, for a long request asynchronously. */
export type CheckReferences = (request: JsonObject, setting: ChannelSetting) => MaybePromise<void>

/**
 * Checks the data that a request makes the vendor read elsewhere (docs/reference/security.md#vendor-references). Data
 * of the provider's account is the operator's, since callers cannot upload any: references to it are refused unless the
 * channel allows them. Files by URL must not be at a private address, because a vendor of the channel may be a server
 * in the operator's network.
 *
 * Searches all members in any spelling, because some servers ignore letter case and underscores, except those that the
 * vendor reads as text: schemas, arguments and results of tools. An address may be in any member that is not text,
 * since vendors have their own names for files.
 */
export const createCheckReferences =
  (rule: AddressRule): CheckReferences =>
  (request, setting) => {
    const open: (JsonObject | List | Members)[] = [request]
    const check = { request, open, rule, allowsAccount: setting.allow_account_data, work: 0 }
    return searched(check, PIECE) ? undefined : searchYielding(check)
  }

type Check = {
  readonly request: JsonObject
  /** Objects and lists that are still to be searched. */
  readonly open: (JsonObject | List | Members)[]
  readonly rule: AddressRule
  readonly allowsAccount: boolean
  work: number
}

/** The items of a list from `next` on, of the member `plain` of `parent`. */
class List {
  readonly items: readonly unknown[]
  readonly plain: string
  readonly parent: JsonObject
  next = 0

  constructor(items: readonly unknown[], plain: string, parent: JsonObject) {
    this.items = items
    this.plain = plain
    this.parent = parent
  }
}

/** The members of a wide object from `next` on. */
class Members {
  readonly object: JsonObject
  readonly names: readonly string[]
  next = 0

  constructor(object: JsonObject, names: readonly string[]) {
    this.object = object
    this.names = names
  }
}

/** Objects with more members are searched in several pieces. */
const WIDE = 64

/** Objects, items and addresses searched before yielding to the event loop; an address counts as several. */
const PIECE = 2000
const ADDRESS_WORK = 50

async function searchYielding(check: Check): Promise<void> {
  do await yieldToOthers()
  while (!searched(check, PIECE))
}

/** Searches until this much work is done; returns whether nothing is left. */
function searched(check: Check, max: number): boolean {
  const { open } = check
  for (check.work = 0; check.work < max; check.work += 1) {
    const next = open.pop()
    if (!next) return true
    if (next instanceof List) searchList(check, next, max)
    else if (next instanceof Members) searchMembers(check, next, max)
    else {
      const type = textIn(next.type) ?? ''
      const names = Object.keys(next)
      if (names.length > WIDE) open.push(new Members(next, names))
      else for (const name of names) look(check, { object: next, type, name })
    }
  }
  return open.length === 0
}

function searchList(check: Check, list: List, max: number): void {
  const { items, plain, parent } = list
  while (list.next < items.length && check.work < max) {
    const item = items[list.next]
    list.next += 1
    check.work += 1
    if (!(plain === 'content' && isWrittenFile(parent, item))) take(check, plain, item, parent)
  }
  if (list.next < items.length) check.open.push(list)
}

function searchMembers(check: Check, members: Members, max: number): void {
  const { object, names } = members
  const type = textIn(object.type) ?? ''
  while (members.next < names.length && check.work < max) {
    const name = names[members.next] ?? ''
    members.next += 1
    check.work += 1
    look(check, { object, type, name })
  }
  if (members.next < names.length) check.open.push(members)
}

/** Whether a member is the schema or the arguments of a tool. */
const isOfTool = (plain: string, object: JsonObject, type: string): boolean =>
  (plain === 'parameters' && typeof object.name === 'string') || (plain === 'input' && type.endsWith('tool_use'))

/**
 * Files that a tool of the vendor wrote, which callers send back: Anthropic ("Code execution tool"). No other object
 * has this form.
 */
const isWrittenFile = (parent: JsonObject, item: unknown): boolean =>
  isObject(item) &&
  (parent.type === 'code_execution_result' || parent.type === 'bash_code_execution_result') &&
  parent.role === undefined &&
  item.type === parent.type.replace('result', 'output') &&
  Object.keys(item).every((name) => name === 'type' || name === 'file_id')

type Member = Readonly<{ object: JsonObject; type: string; name: string }>

function look(check: Check, { object, type, name }: Member): void {
  const value = object[name]
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return
  const plain = plainName(name)
  if (TEXTS.has(plain) || (object !== check.request && isOfTool(plain, object, type))) return
  if (isAccountData(plain, value, type) && !check.allowsAccount)
    throw refuse('invalid', 'relay.accountData', { field: name }, { code: 'account_data_not_allowed', param: name })
  take(check, plain, value, object)
}

function take(check: Check, plain: string, value: unknown, parent: JsonObject): void {
  if (Array.isArray(value)) check.open.push(new List(value, plain, parent))
  else if (isObject(value)) check.open.push(value)
  else if (typeof value === 'string' && isAddress(plain, value) && !(plain === 'fileuri' && OWN_FILE.test(value)))
    checkUrl(value, check)
}

/** Google's services read names with and without underscores, Go servers in any case. */
const plainName = (name: string): string => (name.length > MAX_NAME ? '' : folded(name.replaceAll('_', '')))
/** Max characters of a name that is read; no member that is searched for has a longer one. */
const MAX_NAME = 48

/** Schemas, arguments and results of tools, and sources of earlier responses. */
const TEXTS = new Set([
  ...['inputschema', 'outputschema', 'parametersjsonschema', 'responseschema', 'responsejsonschema', 'jsonschema'],
  ...['schema', 'args', 'arguments', 'response', 'metadata', 'annotations', 'citations', 'results', 'outputs'],
])

/**
 * Members that refer to data of the provider's account: Azure ("On Your Data"), Cohere ("Connectors"), Alibaba ("RAG"),
 * Zhipu ("Knowledge base retrieval"), Mistral ("Document library"), OpenAI ("File search", "Code interpreter"), xAI
 * ("Collections search"), Gemini API and Vertex AI ("Context caching", "Grounding", "File search", "Imagen API");
 * conversations that Cohere ("Chat (V1)") and FastGPT ("Conversation API") continue under a name chosen by callers.
 */
const ACCOUNT_DATA = new Set([
  ...[
    'datasources',
    'connectors',
    'ragoptions',
    'retrieval',
    'knowledgeid',
    'fileid',
    'fileids',
    'uploadfileid',
    'knowledgeresourceid',
    'libraryids',
    'vectorstoreids',
  ],
  ...['collectionids', 'cachedcontent', 'filesearchstorenames', 'gcsuri', 'storageuri'],
  ...['knowledgebaseid', 'conversationid', 'chatid'],
])

function isAccountData(plain: string, value: unknown, type: string): boolean {
  if (ACCOUNT_DATA.has(plain)) return value !== '' && !(Array.isArray(value) && value.length === 0)
  // OpenAI ("Reusable prompts"); Anthropic and OpenAI ("Skills"), except Anthropic's own.
  if (plain === 'prompt' && isObject(value)) return value.id !== undefined
  if (plain === 'skillid') return type !== 'anthropic'
  // Moonshot ("Context caching"): a message whose text names a cache.
  if (plain === 'role') return value === 'cache'
  return typeof value === 'string' && (QWEN_FILES.test(value) || (plain === 'fileuri' && OWN_FILE.test(value)))
}

/** Alibaba ("Long context (Qwen-Long)"): text that names files. */
const QWEN_FILES = /^\s*fileid:\/\//

const ADDRESSES = new Set([
  ...['url', 'imageurl', 'videourl', 'audiourl', 'fileurl', 'serverurl', 'fileuri'],
  ...['image', 'images', 'mask', 'video', 'audio', 'documenturl', 'pdf', 'multiimages'],
])

/** Members with text for the model, and with names: an address in them is not fetched. */
const READ = new Set([
  ...['content', 'contents', 'text', 'texts', 'input', 'output', 'prompt', 'negativeprompt', 'suffix', 'query'],
  ...['instructions', 'instruction', 'system', 'systeminstruction', 'messages', 'message', 'documents', 'passages'],
  ...['title', 'name', 'description', 'context', 'thinking', 'reasoning', 'reasoningcontent', 'summary', 'refusal'],
  ...['transcript', 'stop', 'stopsequences', 'user', 'result', 'code', 'command', 'snippet', 'citedtext', 'value'],
  ...['parts', 'prediction', 'examples', 'label', 'labels', 'source', 'pattern', 'key', 'id'],
  ...['useridentifier', 'safetyidentifier'],
])

const SCHEME = /^\s*[a-z][a-z0-9+.-]{1,9}:[\\/]{2}/i

const isAddress = (plain: string, value: string): boolean =>
  ADDRESSES.has(plain) || (!READ.has(plain) && SCHEME.test(value))

/** Characters between scheme and path that every program reads in the same way; none of them separates a username. */
const AUTHORITY = /^https?:\/\/[\p{L}\p{N}._:[\]-]+(?:[/?#]|$)/iu
/** Some vendors accept base64 without `data:`. A path may consist of these characters too. */
const BASE64 = /^[\w+/=-]{64,}$/
/** Characters that no path exceeds. */
const MAX_PATH = 4096
/** Characters of base64 that contain the signature of a file. */
const SIGNATURE = Math.ceil((SNIFFED_BYTES * 4) / 3 / 4) * 4

const isBase64 = (text: string): boolean =>
  BASE64.test(text.slice(0, MAX_PATH + 1)) &&
  (text.length > MAX_PATH || sniffed(Buffer.from(text.slice(0, SIGNATURE), 'base64')) !== undefined)

function checkUrl(text: string, check: Check): void {
  if (text === '' || /^data:/i.test(text) || isBase64(text)) return
  check.work += ADDRESS_WORK
  const url = AUTHORITY.test(text) ? parsedAddress(text) : null
  if (!url) throw mediaRefusals.url()
  if (isPrivateUrl(url, check.rule)) throw mediaRefusals.address(url.host)
}
