import { refuse } from '../base/errors.ts'
import { baseUrlOf } from './active-channel.ts'
import { keepsSecrets } from './masks.ts'

/** What decides which host hears a channel's secrets, and those that travel with its calls; in clear. */
export type Destination = Readonly<{ type: number; base_url: string; param_override: string }>

/**
 * Refuses a change that would send stored secrets to another host (spec/console.md §4.4.4): the key must be given again,
 * and so must the secrets of `override`, as it was sent, which travel with it.
 */
export function refuseTakingAlong(
  before: Destination,
  after: Pick<Destination, 'type' | 'base_url'>,
  { hasKey, override }: Readonly<{ hasKey: boolean; override: string | null | undefined }>,
): void {
  if (originOf(before) === originOf(after)) return
  if (!hasKey) throw refuse('invalid', 'channel.key_again')
  if (keepsSecrets(override, before.param_override))
    throw refuse('invalid', 'channel.secret_again', { field: 'param_override' })
}

/** Scheme, host and port of the calls; of a type whose address follows from the rest the type itself. */
const originOf = ({ type, base_url }: Pick<Destination, 'type' | 'base_url'>): string =>
  URL.parse(baseUrlOf(type, base_url))?.origin ?? `type ${type}`
