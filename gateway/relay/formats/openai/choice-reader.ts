import { dataUrlIn } from '../../../base/bytes/data-url.ts'
import { isObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { leavesOf } from '../leaves.ts'
import { tokensIn } from '../log-probabilities.ts'
import { spokenMime } from './audio-format.ts'
import { CallReader } from './call-reader.ts'
import { thinkingText } from './content-in.ts'
import { finishIn } from './finish.ts'
import { markdownImage } from './markdown-image.ts'
import { thoughtIn } from './thoughts.ts'

export class ChoiceReader {
  private readonly choice: number
  private readonly calls: CallReader
  private spokenAs: string | undefined
  /** Reasoning received as plain text that no item has repeated yet. */
  private plain = ''

  constructor(choice: number) {
    this.choice = choice
    this.calls = new CallReader(choice)
  }

  /** `body` is the choice's message or delta; missing ids of calls are derived from `answerId`. */
  take(choice: Json, body: Json, isWhole: boolean, answerId: string): readonly AnswerEvent[] {
    const events: AnswerEvent[] = []
    this.readThoughts(body, events)
    if (isObject(choice.logprobs)) this.readLogProbabilities(choice.logprobs, events)
    this.readContent(body.content, events)
    const refusal = textIn(body.refusal)
    if (refusal) events.push({ type: 'refusal', choice: this.choice, text: refusal })
    this.readMore(body, events)
    for (const [index, call] of objectsIn(body.tool_calls).entries())
      events.push(...this.calls.take(call, isWhole ? index : undefined, answerId))
    if (isObject(body.function_call) && !Array.isArray(body.tool_calls))
      events.push(...this.calls.take({ function: body.function_call }, 0, answerId))
    if (events.length === 0 && !isWhole) events.push(...unknownPieces(body))
    this.readFinish(choice, events)
    return events
  }

  /** Reads the log probabilities of the text and of a refusal; a vendor's other members become an extra. */
  private readLogProbabilities({ content, refusal, ...others }: Json, events: AnswerEvent[]): void {
    const { choice } = this
    const [spoken, refused] = [tokensIn(content), tokensIn(refusal)]
    if (spoken.length > 0) events.push({ type: 'logprobs', choice, tokens: spoken })
    if (refused.length > 0) events.push({ type: 'logprobs', choice, tokens: refused, isRefusal: true })
    if (Object.values(others).some((value) => value !== null))
      events.push({ type: 'extra', of: 'openai', choice, name: 'logprobs', value: others })
  }

  /** The items of `reasoning_details` have the seals; the plain text next to or before them has the same content. */
  private readThoughts(body: Json, events: AnswerEvent[]): void {
    const { choice } = this
    const thoughts = objectsIn(body.reasoning_details).flatMap((item) => thoughtIn(item) ?? [])
    const text = textIn(body.reasoning_content) || textIn(body.reasoning)
    if (text && !thoughts.some((thought) => thought.text)) {
      this.plain += text
      events.push({ type: 'reasoning', choice, text })
    }
    for (const thought of thoughts) {
      const fresh = { ...thought, text: this.unsaid(thought.text) }
      if (fresh.text || fresh.signature) events.push({ type: 'reasoning', choice, ...fresh })
    }
  }

  /**
   * Returns the part of an item's text that plain text has not already contained: our own streams seal reasoning at its
   * end.
   */
  private unsaid(text: string): string {
    const { plain } = this
    if (!plain || !text.startsWith(plain)) return text
    this.plain = ''
    return text.slice(plain.length)
  }

  private readContent(content: unknown, events: AnswerEvent[]): void {
    const { choice } = this
    if (typeof content === 'string') {
      if (content) events.push({ type: 'text', choice, text: content })
      return
    }
    for (const part of objectsIn(content)) {
      const thinking = part.type === 'thinking' ? thinkingText(part.thinking) : ''
      if (thinking) events.push({ type: 'reasoning', choice, text: thinking })
      const text = part.type === 'text' ? textIn(part.text) : undefined
      if (text) events.push({ type: 'text', choice, text })
      if (part.type === 'image_url') this.readImage(part, events)
      else if (part.type !== 'text' && thinking === '' && textIn(part.text))
        events.push({ type: 'vendor-call', text: String(part.text) })
    }
  }

  /** Reads sources of a web search, images in OpenRouter's form, and audio. */
  private readMore(body: Json, events: AnswerEvent[]): void {
    for (const annotation of objectsIn(body.annotations)) {
      const { url, title } = objectIn(annotation.url_citation)
      if (typeof url === 'string' && url)
        events.push({ type: 'citation', choice: this.choice, url, title: textIn(title) ?? '' })
    }
    for (const image of objectsIn(body.images)) this.readImage(image, events)
    if (isObject(body.audio)) this.readSpeech(body.audio, events)
  }

  private readImage(image: Json, events: AnswerEvent[]): void {
    const { choice } = this
    const url = textIn(objectIn(image.image_url).url) ?? textIn(image.image_url)
    if (!url) return
    const inline = dataUrlIn(url, 'image/png')
    if (inline) events.push({ type: 'media', choice, ...inline })
    else events.push({ type: 'text', choice, text: markdownImage(url) })
  }

  /** A delta may contain only the transcript or only the audio. */
  private readSpeech(audio: Json, events: AnswerEvent[]): void {
    const data = textIn(audio.data) ?? ''
    const transcript = textIn(audio.transcript)
    const id = textIn(audio.id)
    if (!data && !transcript) return
    if (data) this.spokenAs ??= spokenMime(data)
    const mime = this.spokenAs ?? 'audio/pcm'
    events.push({ type: 'media', choice: this.choice, mime, data, id, transcript: transcript || undefined })
  }

  /** vLLM reports the matched stop sequence in `stop_reason`. */
  private readFinish(choice: Json, events: AnswerEvent[]): void {
    const reason = textIn(choice.finish_reason)
    if (!reason) return
    const matched = reason === 'stop' ? textIn(choice.stop_reason) : undefined
    const finish = { type: 'finish' as const, choice: this.choice }
    events.push(
      matched ? { ...finish, reason: 'stop-sequence', stopSequence: matched } : { ...finish, reason: finishIn(reason) },
    )
  }
}

/** Members of deltas that are read, or have no output. */
const KNOWN = new Set([
  ...['role', 'content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'id', 'name'],
  ...['tool_calls', 'function_call', 'audio', 'images', 'annotations', 'token_ids', 'provider_specific_fields'],
])

/** Members of an unknown kind are only counted, and only if a piece has nothing else: vendors repeat texts. */
const unknownPieces = (body: Json): readonly AnswerEvent[] =>
  Object.entries(body).flatMap(([name, value]) => {
    const text = KNOWN.has(name) ? '' : leavesOf(value)
    return text === '' ? [] : [{ type: 'vendor-call', text }]
  })
