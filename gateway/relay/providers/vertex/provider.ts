import type { MaybePromise } from '../../../base/maybe-promise.ts'
import type { UpstreamReply } from '../../model/answer.ts'
import { withClaudeHeaders } from '../claude-headers.ts'
import { gemini } from '../gemini.ts'
import { slips } from '../gemini-slips.ts'
import { hostedBetas } from '../hosted-betas.ts'
import { hostedEdits } from '../hosted-fields.ts'
import type { DialTools, Headers, Provider, SentRequest, Target } from '../provider.ts'
import { WholeReply } from '../whole-reply.ts'
import { accessToken } from './access-token.ts'
import { embedded, embeddings, embedsContent } from './embeddings.ts'
import { vertexMembers } from './gemini-body.ts'
import { claudeName, hostOf, isRequestedAt, openName, regionOf, serviceAccount } from './models.ts'

const CLAUDE_VERSION = 'vertex-2023-10-16'

/**
 * Google's Vertex AI (docs/reference/channel-types.md#vertex-ai): Claude in Anthropic's dialect, Gemini in its own,
 * Llama and the open models in OpenAI's; each in the channel's region, with an access token for its service account.
 */
export const vertex: Provider = {
  paths: {
    messages: (target) => published(target, 'anthropic', claudeName(target.model), 'rawPredict', 'streamRawPredict'),
    generate: (target) => published(target, 'google', target.model, 'generateContent', 'streamGenerateContent'),
    chat: (target) => `${locationOf(target, 'v1beta1')}/endpoints/openapi/chat/completions`,
    images: (target) => published(target, 'google', target.model, 'predict'),
    predict: (target) => published(target, 'google', target.model, 'predict'),
    embeddings: (target) =>
      published(target, 'google', target.model, embedsContent(target.model) ? 'embedContent' : 'predict'),
  },
  supports: isRequestedAt,
  derivesAddress: true,
  fetchesImageUrls: false,
  headers(target) {
    if (target.endpoint !== 'messages') return {}
    const { 'anthropic-beta': _, ...headers } = withClaudeHeaders(target, {})
    const betas = hostedBetas(target, 'vertex').join(',')
    return betas === '' ? headers : { ...headers, 'anthropic-beta': betas }
  },
  cachesByMarks: ({ endpoint }) => endpoint === 'messages',
  patchBody: (json, target, drop) => hostedEdits(json, target, 'vertex', drop),
  forcedMembers,
  dial,
  bridges: { ...gemini.bridges, embeddings },
  ...slips,
}

function published(target: Target, publisher: string, model: string, plain: string, streamed = plain): string {
  const action = target.stream ? `${streamed}?alt=sse` : plain
  const name = encodeURIComponent(model).replaceAll('%40', '@')
  return `${locationOf(target, 'v1')}/publishers/${publisher}/models/${name}:${action}`
}

/** An API key already belongs to a project ("Vertex AI in express mode"). */
const hasApiKey = ({ channel }: Target): boolean => channel.setting.vertex_key_type === 'api_key'

function locationOf(target: Target, version: string): string {
  const { channel } = target
  const region = regionOf(target)
  const base = channel.baseUrl || `https://${hostOf(region)}`
  if (hasApiKey(target)) return `${base}/${version}`
  const project = encodeURIComponent(serviceAccount(channel.key).project)
  return `${base}/${version}/projects/${project}/locations/${encodeURIComponent(region)}`
}

function forcedMembers({ endpoint, model }: Target, bytes: Buffer): MaybePromise<ReadonlyMap<string, unknown>> {
  if (endpoint === 'generate') return vertexMembers(bytes)
  if (endpoint === 'chat') return new Map([['model', openName(model)]])
  if (endpoint !== 'messages') return new Map()
  return new Map([
    ['model', undefined],
    ['anthropic_version', CLAUDE_VERSION],
  ])
}

/**
 * Sends the call with the account's token or the key. Returns 401 if the service account's key cannot obtain a token,
 * so that another channel can be tried.
 */
async function dial(target: Target, sent: SentRequest, tools: DialTools): Promise<UpstreamReply> {
  let auth: Headers
  try {
    auth = await authOf(target, tools)
  } catch (cause) {
    if (!isKeyAtFault(cause)) throw cause
    return new WholeReply(401, { message: `no access token: ${cause.message}` })
  }
  const headers = { ...sent.headers, ...auth }
  const send = (bytes: Buffer) => tools.request(sent.url, { method: 'POST', headers, bytes })
  const isEmbedding = target.endpoint === 'embeddings' && embedsContent(target.model)
  return isEmbedding ? embedded(sent.bytes, send, tools) : send(sent.bytes)
}

async function authOf(target: Target, tools: DialTools): Promise<Headers> {
  if (hasApiKey(target)) return { 'x-goog-api-key': target.channel.key }
  return { authorization: `Bearer ${await accessToken(target, tools)}` }
}

/** Whether Google refused the key (RFC 6749 §5.2), or a private key cannot sign. */
function isKeyAtFault(cause: unknown): cause is Error {
  if (!(cause instanceof Error)) return false
  if ('status' in cause) return cause.status === 400 || cause.status === 401 || cause.status === 403
  return 'code' in cause && /^ERR_(OSSL|CRYPTO|INVALID)/.test(String(cause.code))
}
