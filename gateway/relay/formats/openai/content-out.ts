import { isObject } from '../../../base/json/json.ts'
import { chatModel } from '../../capabilities/chat-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { CacheMark, Part, TextPart } from '../conversation.ts'
import { breakpointOut } from '../signature.ts'
import { cacheOut } from './fields.ts'
import { documentText, mediaOut } from './media-out.ts'

/**
 * Writes a user's content: a single plain text as a string, else parts; an empty string if nothing can be expressed.
 */
export function userContent(parts: readonly Part[], target: RequestTarget): string | readonly Json[] {
  const [first, ...more] = parts
  if (!first) return ''
  if (first.type === 'text' && more.length === 0 && !(first.cache && takesMarks(target))) {
    reportMarks([first.cache], target)
    return first.text
  }
  const written = parts.flatMap((part) => partOut(part, target))
  return written.length > 0 ? written : ''
}

/**
 * Joins texts with `separator`. If the target accepts cache marks, the texts become parts instead if one is marked, or
 * if there are several and they are not an assistant's, whose separator is empty: marks move between requests, and the
 * form must stay the same.
 */
export function textContent(
  texts: readonly TextPart[],
  separator: string,
  target: RequestTarget,
): string | readonly Json[] {
  const isMarked = texts.some((part) => part.cache) || (texts.length > 1 && separator !== '')
  if (takesMarks(target) && isMarked) return texts.map((part) => textOut(part, target))
  reportMarks(
    texts.map((part) => part.cache),
    target,
  )
  return texts.map((part) => part.text).join(separator)
}

export function systemTexts(parts: readonly Part[], target: RequestTarget): readonly TextPart[] {
  return parts.flatMap((part): readonly TextPart[] => {
    if (part.type === 'text') return [part]
    if (part.type === 'refusal' || part.type === 'reasoning') return [{ type: 'text', text: part.text }]
    if (part.type === 'media' && part.source.type === 'text')
      return [{ type: 'text', text: documentText(part.source.text, part.name), cache: part.cache }]
    if (part.type === 'media') target.drop(part.kind)
    if (part.type === 'extra' && !isMember(part)) target.drop(`content.${part.name}`)
    return []
  })
}

/** Whether an extra is a vendor's additional member of the message, as opposed to a content part. */
export const isMember = (part: Part): boolean =>
  part.type === 'extra' && part.of === 'openai' && !(isObject(part.value) && part.value.type === part.name)

export const membersOut = (parts: readonly Part[]): Json =>
  Object.assign({}, ...parts.flatMap((part) => (part.type === 'extra' && isMember(part) ? [part.value] : [])))

export function reportMarks(marks: readonly (CacheMark | undefined)[], target: RequestTarget): void {
  if (marks.some((mark) => mark !== undefined)) target.drop('cache')
}

/** Writes a part of a user's content, which cannot contain reasoning or calls, and extras only of this dialect. */
function partOut(part: Part, target: RequestTarget): readonly Json[] {
  if (part.type === 'text') return [textOut(part, target)]
  if (part.type === 'media') return [{ ...mediaOut(part, target), ...markOut(part.cache, target) }]
  if (part.type === 'refusal') return [{ type: 'text', text: part.text }]
  if (part.type !== 'extra') return []
  if (part.of === 'openai' && isObject(part.value)) return [part.value]
  target.drop(`content.${part.name}`)
  return []
}

const textOut = (part: TextPart, target: RequestTarget): Json => ({
  type: 'text',
  text: part.text,
  ...markOut(part.cache, target),
})

/** Whether parts may have cache marks: at OpenRouter, and for newer models of OpenAI. */
const takesMarks = (target: RequestTarget): boolean =>
  target.cacheMarks || (target.strictOpenai && chatModel(target.model)?.hasBreakpoints === true)

function markOut(mark: CacheMark | undefined, target: RequestTarget): Json {
  if (target.cacheMarks) return cacheOut(mark)
  if (mark && takesMarks(target)) return breakpointOut(mark)
  reportMarks([mark], target)
  return {}
}
