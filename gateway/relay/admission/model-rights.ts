import { refuse } from '../../base/errors.ts'
import { textIn } from '../../base/json/json.ts'
import type { Price, PriceBook } from '../../billing/price.ts'
import { IMAGE_TOOL_MODEL, IMAGE_TOOL_PRICE } from '../../billing/tool-prices.ts'
import type { Settings } from '../../settings/settings.ts'
import { checkModelName } from '../intake/parse.ts'
import type { Call } from '../model/call.ts'
import type { Caller } from '../model/caller.ts'
import { toolsIn } from './expected-tools.ts'

type PriceDeps = Readonly<{ settings: Pick<Settings, 'get'>; prices: () => PriceBook }>

export function checkModel({ models }: Caller, model: string): void {
  checkModelName(model)
  if (!models || models.has(model)) return
  if (models.size === 0) throw refuse('forbidden', 'relay.modelDeniedAll', {}, { code: 'model_not_allowed' })
  throw refuse('forbidden', 'relay.modelDenied', { model }, { code: 'model_not_allowed' })
}

/** Whether models without a price use the unset ratio (docs/reference/billing.md#price-lookup). */
export const acceptsUnset = (settings: Pick<Settings, 'get'>, { account }: Caller): boolean =>
  settings.get('SelfUseModeEnabled') || account.acceptUnset

export const noPrice = (model: string) =>
  refuse('invalid', 'relay.noPrice', { model }, { code: 'model_price_error', param: 'model' })

/** The price of a model used in addition to a call's own; throws if the token may not use it or it has no price. */
export function secondPrice({ settings, prices }: PriceDeps, caller: Caller, group: string, model: string): Price {
  checkModel(caller, model)
  const acceptUnset = acceptsUnset(settings, caller)
  const price = prices().find({ model, userGroup: caller.account.group, usingGroup: group, acceptUnset, isPaid: true })
  if (!price) throw noPrice(model)
  return price
}

/**
 * The price of a second model that the vendor may use (docs/reference/billing.md#second-models): that of OpenAI's image
 * tool or of Anthropic's advisor. A model named in the call must be one of the token's; a call that names two is
 * refused.
 */
export function secondModelPrice(
  deps: PriceDeps,
  caller: Caller,
  { endpoint, json }: Call,
  { group, price }: Readonly<{ group: string; price: Price }>,
): Price | undefined {
  if (endpoint !== 'responses' && endpoint !== 'messages') return undefined
  const kind = endpoint === 'responses' ? IMAGE_TOOL : ADVISOR
  const tools = toolsIn(json).filter(({ type }) => kind.test(textIn(type) ?? ''))
  const [model, ...others] = tools.map((tool) => textIn(tool.model) || undefined)
  if (others.some((other) => other !== model))
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'tools' }, { code: 'invalid_request', param: 'tools' })
  if (model !== undefined) checkModel(caller, model)
  if (endpoint === 'messages') return model === undefined ? undefined : secondPrice(deps, caller, group, model)
  return drawingPrice(deps, model ?? IMAGE_TOOL_MODEL, price)
}

const IMAGE_TOOL = /^image_generation$/
const ADVISOR = /^advisor_/

/** Clients send the image tool unprompted, so a model without a price costs what OpenAI charges. */
function drawingPrice({ prices }: PriceDeps, model: string, { groupRatio, exclusiveRatio }: Price): Price {
  const found = prices().find({ model, userGroup: '', usingGroup: '', acceptUnset: false, isPaid: true })
  return { ...(found ?? IMAGE_TOOL_PRICE), model, groupRatio, exclusiveRatio }
}
