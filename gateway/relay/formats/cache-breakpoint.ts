import { isObject, type JsonObject } from '../../base/json.ts'
import type { CacheMark } from './conversation.ts'

/** Whether a model of OpenAI's takes marks of what is worth caching: gpt-5.6 and later ones (its API reference, `prompt_cache_options`). */
export const takesBreakpoints = (model: string): boolean =>
  /(^|\/)(ft:)?gpt-(5\.([6-9]|\d\d)|[6-9]([.-]|$))/.test(model)

/**
 * The mark that OpenAI's `prompt_cache_breakpoint` on a part makes; undefined without one. Its breakpoints live for half
 * an hour or half a day: the nearest that other vendors know are their short and long ones.
 */
export function breakpointIn(value: unknown): CacheMark | undefined {
  if (!isObject(value)) return undefined
  return value.ttl === '12h' ? { ttl: '1h' } : {}
}

/** A mark as the member of a part that OpenAI has for it. */
export const breakpointOut = ({ ttl }: CacheMark): JsonObject => ({
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === '1h' ? { ttl: '12h' } : {}) },
})
