import type { UpstreamReply } from '../../model/answer.ts'
import { hostedBetas, hostedModel } from '../hosted-betas.ts'
import { hostedEdits } from '../hosted-fields.ts'
import type { DialTools, Headers, Provider, SentRequest, Target } from '../provider.ts'
import { readReply, WholeReply } from '../whole-reply.ts'
import { bedrockError, errorIn, statusOf } from './errors.ts'
import { bedrockModel } from './models.ts'
import { awsKey, signed } from './signature.ts'
import { SseReply } from './sse-reply.ts'

const VERSION = 'bedrock-2023-05-31'
const SERVICE = 'bedrock'
const MAX_ERROR_LENGTH = 64 * 1024
/** The only header that is signed in addition to host and time; intermediaries may change the others. */
const SIGNED = 'content-type'

/**
 * Claude models on Amazon Bedrock (docs/reference/channel-types.md#amazon-bedrock): Anthropic's dialect with the model
 * in the path, authenticated with SigV4 or a Bedrock API key, streamed in AWS's binary frames.
 */
export const aws: Provider = {
  paths: { messages: invocation },
  supports: (_, model) => !/(^|\.)nova-|^amazon\./.test(model),
  derivesAddress: true,
  fetchesImageUrls: false,
  headers: ({ stream }) => ({ accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json' }),
  cachesByMarks: (target) => cachesPrompts(hostedModel(target)),
  patchBody: (json, target, drop) => hostedEdits(json, target, 'bedrock', drop),
  forcedMembers,
  sign: async (target, sent, { now }) => proof(target, sent, now()),
  dial: invoked,
  errorIn,
}

/**
 * Bedrock refuses cache marks for models that predate its caches (AWS, "Prompt caching for faster model inference").
 */
const cachesPrompts = ({ name, version }: ReturnType<typeof hostedModel>): boolean =>
  version >= 307 || /3-5-haiku/.test(name)

function invocation({ channel, model, stream }: Target): string {
  const { region } = awsKey(channel.key)
  const action = stream ? 'invoke-with-response-stream' : 'invoke'
  return `${channel.baseUrl || addressIn(region)}/model/${encodeURIComponent(bedrockModel(model, region))}/${action}`
}

const addressIn = (region: string): string =>
  `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`

/** Model and stream are in the path, and the betas in the body. */
function forcedMembers(target: Target): ReadonlyMap<string, unknown> {
  const betas = hostedBetas(target, 'bedrock')
  return new Map<string, unknown>([
    ['model', undefined],
    ['stream', undefined],
    ['anthropic_version', VERSION],
    ...(betas.length > 0 ? [['anthropic_beta', betas] as const] : []),
  ])
}

function proof({ channel }: Target, { url, bytes, headers }: SentRequest, at: number): Headers {
  const key = awsKey(channel.key)
  if ('apiKey' in key) return { authorization: `Bearer ${key.apiKey}` }
  const signedHeaders = { [SIGNED]: headers[SIGNED] ?? '' }
  return signed({ ...key, service: SERVICE }, { method: 'POST', url, headers: signedHeaders, body: bytes, at })
}

/** Converts errors to Anthropic's form, and streams to server-sent events. */
async function invoked(_: Target, { url, bytes, headers }: SentRequest, tools: DialTools): Promise<UpstreamReply> {
  const reply = await tools.request(url, { method: 'POST', headers, bytes })
  const { status } = reply
  if (status >= 200 && status <= 299)
    return /eventstream/.test(reply.headers['content-type'] ?? '') ? new SseReply(reply) : reply
  const text = (await readReply(reply, MAX_ERROR_LENGTH)).toString()
  const error = bedrockError(String(reply.headers['x-amzn-errortype'] ?? ''), text)
  return new WholeReply(statusOf(error.error.code) ?? status, error, reply.headers)
}
