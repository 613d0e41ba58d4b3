import { sparkVersion } from '../../../../shared/spark-version.ts'
import { objectIn } from '../../../base/json/json.ts'
import { bodyIn, bodyOf } from '../body-json.ts'
import type { Provider, Target } from '../provider.ts'
import { unsupportedField } from '../vectors.ts'
import { decodeAnswer, decodeStream, errorIn } from './answer.ts'
import { encodeRequest, signedUrl } from './request.ts'
import { SocketReply } from './socket-reply.ts'

/** The domain of a version's models; for other versions it is `general` plus the version. */
const domains: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}

/**
 * iFlytek's Spark (docs/reference/channel-types.md#iflytek-spark): one socket per request, opened with a signed URL.
 */
export const xunfei: Provider = {
  paths: { own: (target) => `${target.channel.baseUrl}/${encodeURIComponent(versionOf(target))}/chat` },
  headers: () => ({}),
  wire: { encodeRequest, decodeAnswer, decodeStream },
  errorIn,
  async dial(target, { url, bytes, headers }, { openSocket, now, cancellation, idleMs }) {
    const [appId = '', apiSecret = '', apiKey = ''] = target.channel.key.split('|').map((part) => part.trim())
    const request = await addressed(bytes, appId, versionOf(target))
    const address = signedUrl(url, { apiKey, apiSecret }, now())
    const opened = await openSocket(address, { 'user-agent': headers['user-agent'] ?? '' })
    const { stream: isStream } = target
    return new SocketReply(opened, request, { isStream, idleMs, cancellation })
  },
}

const versionOf = ({ model, channel }: Target): string => sparkVersion(model, channel.other)

/** The versions whose models call functions: Max and 4.0 Ultra (Spark's Web API, "Interface description"). */
const CALLING = new Set(['v3.5', 'v4.0'])

/** Adds what depends on the channel. Throws for functions with a version that would ignore them. */
async function addressed(bytes: Buffer, appId: string, version: string): Promise<string> {
  const { header, parameter, ...rest } = await bodyIn(bytes)
  if (objectIn(rest.payload).functions && !CALLING.has(version)) throw unsupportedField('iFlytek Spark', 'tools')
  const chat = { domain: domains[version] ?? `general${version}`, ...objectIn(objectIn(parameter).chat) }
  const whole = { ...rest, header: { ...objectIn(header), app_id: appId }, parameter: { chat } }
  return (await bodyOf(whole, bytes)).toString()
}
