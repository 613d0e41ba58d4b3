import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { thoughtsAsText } from '../adaptation/thoughts-as-text.ts'
import type { Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Provider } from '../providers/provider.ts'
import { wireOf } from './upstream-endpoint.ts'

/**
 * How an answer is read where it has to be written anew; undefined where its bytes pass as they are. Besides answers in
 * another dialect those are the chat answers of channels with `force_format` or `thinking_to_content`
 * (spec/relay.md §3.9).
 */
export function answerWire(
  codecs: Codecs,
  provider: Provider,
  { endpoint }: Call,
  upstreamEndpoint: Endpoint,
  { setting }: ActiveChannel,
): Wire | undefined {
  const isReshaped = endpoint === 'chat' && (setting.force_format || setting.thinking_to_content)
  const wire = upstreamEndpoint === endpoint && !isReshaped ? undefined : wireOf(codecs, provider, upstreamEndpoint)
  return wire && isReshaped && setting.thinking_to_content ? thoughtsAsText(wire) : wire
}
