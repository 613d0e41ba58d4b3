import { isObject } from '../../../base/json/json.ts'

/** Claude Code's first line for Anthropic's accounting; it changes with every request. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/

/**
 * Removes Claude Code's billing line, which would prevent prompt cache hits of other vendors
 * (docs/reference/conversion.md#prompt-caches). Returns the same value if there is none.
 */
export function withoutBillingLine(system: unknown): unknown {
  if (typeof system === 'string') return system.replace(BILLING_LINE, '')
  if (!Array.isArray(system)) return system
  const remaining = system.flatMap((block: unknown) => {
    if (!isObject(block) || typeof block.text !== 'string' || !BILLING_LINE.test(block.text)) return [block]
    const text = block.text.replace(BILLING_LINE, '')
    return text === '' ? [] : [{ ...block, text }]
  })
  return remaining.length === system.length && remaining.every((block, index) => block === system[index])
    ? system
    : remaining
}
