import { refuse } from '../../base/errors.ts'
import { textIn } from '../../base/json.ts'
import { baseUrlOf, objectOf } from '../registry/active-channel.ts'
import { keepsSecrets } from '../registry/masks.ts'

/** What decides which host hears a channel's secrets, and those that travel with its calls; in clear. */
type Destination = Readonly<{ type: number; base_url: string; setting: string; param_override: string }>

/**
 * Refuses a change that would send stored secrets to another host (docs/reference/channels.md#secrets-and-hosts): the
 * key must be given again, and so must the secrets of `override`, as it was sent, which travel with it. A proxy on the
 * way of plain http hears them as the host does.
 */
export function assertSecretsStayWithHost(
  before: Destination,
  after: Omit<Destination, 'param_override'>,
  { hasKey, override }: Readonly<{ hasKey: boolean; override: string | null | undefined }>,
): void {
  const isMoved = originOf(before) !== originOf(after)
  const proxy = listenerOf(after)
  if (!isMoved && (proxy === undefined || proxy === listenerOf(before))) return
  if (!hasKey) throw refuse('invalid', isMoved ? 'channel.key_again' : 'channel.proxy_key_again')
  if (keepsSecrets(override, before.param_override))
    throw refuse('invalid', 'channel.secret_again', { field: 'param_override' })
}

/** Scheme, host and port of the calls; of a type whose address follows from the rest the type itself. */
const originOf = ({ type, base_url }: Pick<Destination, 'type' | 'base_url'>): string =>
  URL.parse(baseUrlOf(type, base_url))?.origin ?? `type ${type}`

/** The proxy that could read what the channel sends, where there is one and the address is not encrypted. */
function listenerOf({ type, base_url, setting }: Omit<Destination, 'param_override'>): string | undefined {
  const proxy = textIn(objectOf(setting)?.proxy)?.trim()
  if (!proxy || !/^http:/i.test(baseUrlOf(type, base_url))) return undefined
  return URL.parse(proxy)?.host ?? proxy
}
