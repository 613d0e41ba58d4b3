import { isObject } from '../../../base/json/json.ts'

/** What Claude Code puts before its instructions for Anthropic's own accounting; it changes with every request. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/

/**
 * A system prompt without Claude Code's billing line, which means nothing to others and would keep their prompt caches
 * from ever being hit (docs/reference/conversion.md#prompt-caches); the same value where it has none.
 */
export function withoutBillingLine(system: unknown): unknown {
  if (typeof system === 'string') return system.replace(BILLING_LINE, '')
  if (!Array.isArray(system)) return system
  const kept = system.flatMap((block: unknown) => {
    if (!isObject(block) || typeof block.text !== 'string' || !BILLING_LINE.test(block.text)) return [block]
    const text = block.text.replace(BILLING_LINE, '')
    return text === '' ? [] : [{ ...block, text }]
  })
  return kept.length === system.length && kept.every((block, index) => block === system[index]) ? system : kept
}
