import { nested } from '../../shared/messages/format.ts'
import { decodeOption, labelOf, type OptionKey, type OptionValue } from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { type GatewayError, refuse } from '../base/errors.ts'

/**
 * The checked value of a text. What is not taken is refused with the option's name, the line and column in a text of JSON,
 * and what is allowed (docs/reference/options.md#refusals); never with the value itself.
 */
export function decodeOrRefuse(key: OptionKey, raw: string): OptionValue<OptionKey> {
  try {
    return decodeOption(key, raw)
  } catch (error) {
    if (error instanceof OptionRefusal) throw refusedAs(key, error)
    throw error
  }
}

function refusedAs(option: OptionKey, { key, params, place }: OptionRefusal): GatewayError {
  const named = { ...params, option: nested(labelOf(option)), why: nested(key), ...place }
  return refuse('invalid', place ? 'option.refused_at' : 'option.refused', named)
}
