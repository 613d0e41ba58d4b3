import { dataUrlIn } from '../../../base/bytes/data-url.ts'
import { isObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { tokensIn } from '../log-probabilities.ts'
import { spokenMime } from './audio-format.ts'
import { CallReader } from './call-reader.ts'
import { thinkingText } from './content-in.ts'
import { finishIn } from './finish.ts'
import { markdownImage } from './markdown-image.ts'
import { thoughtIn } from './thoughts.ts'

/** Reads what one choice says, whole or piece by piece: thoughts, text, refusal, citations, pictures, speech, calls. */
export class ChoiceReader {
  private readonly choice: number
  private readonly calls: CallReader
  private spokenAs: string | undefined
  /** What was thought in plain text and is in no item yet. */
  private plain = ''

  constructor(choice: number) {
    this.choice = choice
    this.calls = new CallReader(choice)
  }

  /** `said` is the choice's message or delta; calls without an id get theirs from `answerId`. */
  take(choice: Json, said: Json, isWhole: boolean, answerId: string): readonly AnswerEvent[] {
    const events: AnswerEvent[] = []
    this.readThoughts(said, events)
    if (isObject(choice.logprobs)) this.readLogProbabilities(choice.logprobs, events)
    this.readContent(said.content, events)
    const refusal = textIn(said.refusal)
    if (refusal) events.push({ type: 'refusal', choice: this.choice, text: refusal })
    this.readMore(said, events)
    for (const [place, call] of objectsIn(said.tool_calls).entries())
      events.push(...this.calls.take(call, isWhole ? place : undefined, answerId))
    if (isObject(said.function_call) && !Array.isArray(said.tool_calls))
      events.push(...this.calls.take({ function: said.function_call }, 0, answerId))
    this.readFinish(choice, events)
    return events
  }

  /** Those of the text and of a refusal; what else vendors have there is known here alone. */
  private readLogProbabilities({ content, refusal, ...others }: Json, events: AnswerEvent[]): void {
    const { choice } = this
    const [said, refused] = [tokensIn(content), tokensIn(refusal)]
    if (said.length > 0) events.push({ type: 'logprobs', choice, tokens: said })
    if (refused.length > 0) events.push({ type: 'logprobs', choice, tokens: refused, isRefusal: true })
    if (Object.values(others).some((value) => value !== null))
      events.push({ type: 'extra', of: 'openai', choice, name: 'logprobs', value: others })
  }

  /** The items of `reasoning_details` have the seals; the plain text beside them or before them says the same. */
  private readThoughts(said: Json, events: AnswerEvent[]): void {
    const { choice } = this
    const thoughts = objectsIn(said.reasoning_details).flatMap((item) => thoughtIn(item) ?? [])
    const text = textIn(said.reasoning_content) || textIn(said.reasoning)
    if (text && !thoughts.some((thought) => thought.text)) {
      this.plain += text
      events.push({ type: 'reasoning', choice, text })
    }
    for (const thought of thoughts) {
      const fresh = { ...thought, text: this.unsaid(thought.text) }
      if (fresh.text || fresh.signature) events.push({ type: 'reasoning', choice, ...fresh })
    }
  }

  /** The part of an item's text that plain text has not said before it: our own streams seal a thought at its end. */
  private unsaid(text: string): string {
    const { plain } = this
    if (!plain || !text.startsWith(plain)) return text
    this.plain = ''
    return text.slice(plain.length)
  }

  /** Text, or the parts that Mistral's thinking models answer with. */
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
      if (part.type === 'image_url') this.readPicture(part, events)
    }
  }

  /** Sources of a web search, pictures as OpenRouter has them, speech. */
  private readMore(said: Json, events: AnswerEvent[]): void {
    for (const annotation of objectsIn(said.annotations)) {
      const { url, title } = objectIn(annotation.url_citation)
      if (typeof url === 'string' && url)
        events.push({ type: 'citation', choice: this.choice, url, title: textIn(title) ?? '' })
    }
    for (const image of objectsIn(said.images)) this.readPicture(image, events)
    if (isObject(said.audio)) this.readSpeech(said.audio, events)
  }

  /** A picture's bytes; where only its address is given, the address in the text. */
  private readPicture(image: Json, events: AnswerEvent[]): void {
    const { choice } = this
    const url = textIn(objectIn(image.image_url).url) ?? textIn(image.image_url)
    if (!url) return
    const inline = dataUrlIn(url, 'image/png')
    if (inline) events.push({ type: 'media', choice, ...inline })
    else events.push({ type: 'text', choice, text: markdownImage(url) })
  }

  /** Speech, of which a delta may hold the transcript or the sound alone. */
  private readSpeech(audio: Json, events: AnswerEvent[]): void {
    const data = textIn(audio.data) ?? ''
    const transcript = textIn(audio.transcript)
    const id = textIn(audio.id)
    if (!data && !transcript) return
    if (data) this.spokenAs ??= spokenMime(data)
    const mime = this.spokenAs ?? 'audio/pcm'
    events.push({ type: 'media', choice: this.choice, mime, data, id, transcript: transcript || undefined })
  }

  /** vLLM tells in `stop_reason` which of the client's stop texts it met. */
  private readFinish(choice: Json, events: AnswerEvent[]): void {
    const reason = textIn(choice.finish_reason)
    if (!reason) return
    const met = reason === 'stop' ? textIn(choice.stop_reason) : undefined
    const finish = { type: 'finish' as const, choice: this.choice }
    events.push(
      met ? { ...finish, reason: 'stop-sequence', stopSequence: met } : { ...finish, reason: finishIn(reason) },
    )
  }
}
