import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { ChannelSetting } from '../../channels/registry/active-channel.ts'
import type { Call } from '../model/call.ts'
import { type ChangedMember, withMember } from './with-member.ts'

/**
 * Adds the channel's instructions to a call (docs/reference/selection.md#channel-settings): if it has none at the
 * beginning or, if the channel is so configured, before the call's own. All other bytes of the body are unchanged.
 */
export function prompted(
  call: Call,
  { system_prompt: prompt, system_prompt_override: always }: ChannelSetting,
): MaybePromise<Call> {
  if (prompt === '') return call
  const member = writers[call.endpoint]?.(call.json, prompt, always)
  return member ? withMember(call, member) : call
}

/** Returns the member with the instructions and its new value; undefined to leave it unchanged. */
type InstructionWriter = (json: Readonly<JsonObject>, prompt: string, always: boolean) => ChangedMember | undefined

const writers: Readonly<Partial<Record<Call['endpoint'], InstructionWriter>>> = {
  chat({ messages }, prompt, always) {
    const items: readonly unknown[] = Array.isArray(messages) ? messages : []
    const [first] = items
    if (!isInstruction(first)) return ['messages', [{ role: 'system', content: prompt }, ...items]]
    const { content } = objectIn(first)
    return always ? ['messages', items.with(0, { ...objectIn(first), content: before(prompt, content) })] : undefined
  },
  responses({ instructions, input }, prompt, always) {
    const hasOwn = isPresent(instructions) || (Array.isArray(input) && isInstruction(input[0]))
    if (hasOwn && !always) return undefined
    return ['instructions', textIn(instructions) ? `${prompt}\n${instructions}` : prompt]
  },
  messages({ system }, prompt, always) {
    if (!isPresent(system)) return ['system', prompt]
    return always ? ['system', before(prompt, system)] : undefined
  },
  generate(json, prompt, always) {
    const name = 'system_instruction' in json ? 'system_instruction' : 'systemInstruction'
    const own = objectIn(json[name])
    const parts = objectsIn(own.parts)
    if (parts.length === 0) return [name, { parts: [{ text: prompt }] }]
    return always ? [name, { ...own, parts: [{ text: prompt }, ...parts] }] : undefined
  },
}

const isInstruction = (item: unknown): boolean =>
  isObject(item) && (item.role === 'system' || item.role === 'developer')

const isPresent = (value: unknown): boolean => (Array.isArray(value) || typeof value === 'string') && value.length > 0

const before = (prompt: string, own: unknown): unknown =>
  Array.isArray(own) ? [{ type: 'text', text: prompt }, ...own] : `${prompt}\n${typeof own === 'string' ? own : ''}`
