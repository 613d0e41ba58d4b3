import { refuse } from '../../base/errors.ts'
import { textIn } from '../../base/json/json.ts'
import { baseUrlOf, objectOf } from '../registry/active-channel.ts'
import { keepsSecrets } from '../registry/masks.ts'

/**
 * The columns that determine which host receives a channel's secrets, and the secrets sent with its calls; unencrypted.
 */
type Destination = Readonly<{ type: number; base_url: string; setting: string; param_override: string }>

/**
 * Throws if a change would send stored secrets to another host (docs/reference/channels.md#secrets-and-hosts): the key
 * must then be entered again, and so must the secrets in `override`, the submitted column. For plain http, this also
 * applies to a new proxy, which can read them.
 */
export function assertSecretsStayWithHost(
  before: Destination,
  after: Omit<Destination, 'param_override'>,
  { hasKey, override }: Readonly<{ hasKey: boolean; override: string | null | undefined }>,
): void {
  const isMoved = originOf(before) !== originOf(after)
  const proxy = eavesdropperOf(after)
  if (!isMoved && (proxy === undefined || proxy === eavesdropperOf(before))) return
  if (!hasKey) throw refuse('invalid', isMoved ? 'channel.key_again' : 'channel.proxy_key_again')
  if (keepsSecrets(override, before.param_override))
    throw refuse('invalid', 'channel.secret_again', { field: 'param_override' })
}

/** The scheme, host and port of the calls, or the type if its address is derived from other fields. */
const originOf = ({ type, base_url }: Pick<Destination, 'type' | 'base_url'>): string =>
  URL.parse(baseUrlOf(type, base_url))?.origin ?? `type ${type}`

/** The proxy that could read the channel's traffic, if there is one and the address is not encrypted. */
function eavesdropperOf({ type, base_url, setting }: Omit<Destination, 'param_override'>): string | undefined {
  const proxy = textIn(objectOf(setting)?.proxy)?.trim()
  if (!proxy || !/^http:/i.test(baseUrlOf(type, base_url))) return undefined
  return URL.parse(proxy)?.host ?? proxy
}
