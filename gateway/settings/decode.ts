import { nested } from '../../shared/messages/format.ts'
import { decodeToSave, labelOf, type OptionKey, type OptionValue, options } from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { metadataHost } from '../base/metadata-address.ts'

/**
 * The checked value of a text. What is not taken is refused with the option's name, the line and column in a text of JSON,
 * and what is allowed (docs/reference/options.md#refusals); never with the value itself.
 */
export function decodeOrRefuse(key: OptionKey, raw: string): OptionValue<OptionKey> {
  try {
    const value = decodeToSave(key, raw)
    if (isAddress(key) && metadataHost(URL.parse(String(value))?.hostname ?? '')) throw refusal(key)
    return value
  } catch (error) {
    if (error instanceof OptionRefusal) throw refusedAs(key, error)
    throw error
  }
}

const isAddress = (key: OptionKey): boolean => 'control' in options[key] && options[key].control === 'address'

/** No call goes to a metadata service, so that such an address would fail only later, where nobody looks. */
const refusal = (option: OptionKey): GatewayError =>
  refuse('invalid', 'option.refused', { option: nested(labelOf(option)), why: nested('option.address_metadata') })

function refusedAs(option: OptionKey, { key, params, place }: OptionRefusal): GatewayError {
  const named = { ...params, option: nested(labelOf(option)), why: nested(key), ...place }
  return refuse('invalid', place ? 'option.refused_at' : 'option.refused', named)
}
