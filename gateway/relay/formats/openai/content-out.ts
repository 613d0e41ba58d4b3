import { isObject } from '../../../base/json/json.ts'
import { chatModel } from '../../capabilities/chat-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { CacheMark, Part, TextPart } from '../conversation.ts'
import { breakpointOut } from '../signature.ts'
import { cacheOut } from './fields.ts'
import { documentText, mediaOut } from './media-out.ts'

/** A user's content: text where it is one plain text, else parts; empty text where nothing of it can be said. */
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
 * Texts as one, joined by `separator`. Where the target takes cache marks a marked one is a part, and so are several texts but
 * those of an answer: marks move on, and the shape must not.
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

/** The texts among the parts of a system message; the text of a document is one. Anything else is reported: there is no place for it. */
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

/** Whether an extra is a member that a vendor of this dialect added to the message, rather than a part of its content. */
export const isMember = (part: Part): boolean =>
  part.type === 'extra' && part.of === 'openai' && !(isObject(part.value) && part.value.type === part.name)

/** The members that vendors of this dialect added to a message, as they came. */
export const membersOut = (parts: readonly Part[]): Json =>
  Object.assign({}, ...parts.flatMap((part) => (part.type === 'extra' && isMember(part) ? [part.value] : [])))

/** Reports cache marks that have no place in what is written. */
export function reportMarks(marks: readonly (CacheMark | undefined)[], target: RequestTarget): void {
  if (marks.some((mark) => mark !== undefined)) target.drop('cache')
}

/** A part of a user's content; thoughts and calls have no place there, extras only in their own dialect. */
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

/** Whether parts may be marked as worth caching: at OpenRouter, and for the newer of OpenAI's own models. */
const takesMarks = (target: RequestTarget): boolean =>
  target.cacheMarks || (target.strictOpenai && chatModel(target.model)?.hasBreakpoints === true)

/** A cache mark where the target takes it; elsewhere it is reported. */
function markOut(mark: CacheMark | undefined, target: RequestTarget): Json {
  if (target.cacheMarks) return cacheOut(mark)
  if (mark && takesMarks(target)) return breakpointOut(mark)
  reportMarks([mark], target)
  return {}
}
