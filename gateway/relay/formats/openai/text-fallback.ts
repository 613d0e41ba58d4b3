import { objectIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { inlineImage } from './markdown-image.ts'

/**
 * Returns the text for an event: text, images as Markdown, and code that the vendor ran as fenced blocks, since this
 * dialect has no other field for them (docs/reference/conversion.md#gemini-to-openai). Undefined for anything else.
 */
export function textFallback(event: AnswerEvent): string | undefined {
  if (event.type === 'text') return event.text
  if (event.type === 'media') return isAudio(event) ? undefined : inlineImage(event.mime, event.data)
  if (event.type === 'extra' && event.of === 'gemini') return codeBlock(event.name, objectIn(event.value))
  return undefined
}

export const isSpeech = (event: AnswerEvent): event is MediaEvent => event.type === 'media' && isAudio(event)

type MediaEvent = Extract<AnswerEvent, { type: 'media' }>

const isAudio = ({ mime, transcript }: MediaEvent): boolean => mime.startsWith('audio/') || transcript !== undefined

function codeBlock(name: string, value: Readonly<Record<string, unknown>>): string | undefined {
  if (name === 'executableCode') return fenced(textIn(value.language)?.toLowerCase() ?? '', textIn(value.code) ?? '')
  if (name === 'codeExecutionResult') return fenced('output', textIn(value.output) ?? '')
  return undefined
}

const fenced = (language: string, text: string): string => `\n\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\`\n`

/**
 * Tracks the ranges of citations in a choice's text: each covers the piece of text before it, which begins at the end
 * of the previously cited piece.
 */
export class Citations {
  private length = 0
  private begin = 0
  private hasCited = false

  pass(text: string): void {
    if (this.hasCited) this.begin = this.length
    this.hasCited = false
    this.length += text.length
  }

  annotation({ url, title }: Extract<AnswerEvent, { type: 'citation' }>): Json {
    this.hasCited = true
    return { type: 'url_citation', url_citation: { start_index: this.begin, end_index: this.length, url, title } }
  }
}
