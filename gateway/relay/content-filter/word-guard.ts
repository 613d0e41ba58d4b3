import { linesOf } from '../../../shared/options/lists.ts'
import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { type JsonObject, objectIn } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Format } from '../formats/format.ts'
import { forEachText, forEachTextIn } from './prompt-texts.ts'
import { createWordList, type WordList } from './word-list.ts'

/** The operator's blocked words (docs/reference/limits.md#blocked-words). */
export interface WordGuard {
  /**
   * Throws if a body contains one; the word itself is only written to the log. A long body is read in steps, yielding
   * to other requests.
   */
  checkPrompt(json: JsonObject, format: Format, requestId: string): Promise<void> | undefined
  /** Throws if an event of a realtime session contains one, like `checkPrompt`. */
  checkEvent(event: JsonObject, requestId: string): Promise<void> | undefined
  /** Returns the words that end a response; undefined if responses are not checked. */
  answerWords(): WordList | undefined
  noteAnswer(word: string, requestId: string): void
}

/** Follows the options; the words are compiled once per change. */
export function createWordGuard(settings: Pick<Settings, 'get' | 'derive'>, log: Logger): WordGuard {
  const words = settings.derive(['SensitiveWords'], () => createWordList(linesOf(settings.get('SensitiveWords'))))
  const wordsIf = (flag: 'CheckSensitiveOnPromptEnabled' | 'StopOnSensitiveEnabled') =>
    settings.get('CheckSensitiveEnabled') && settings.get(flag) ? words() : undefined
  const refuseWord = (word: string | undefined, format: Format, requestId: string) => {
    if (word === undefined) return
    log.warn('a blocked word in a request', { requestId, word })
    throw refuse('invalid', 'relay.sensitiveWords', {}, { code: codes[format] })
  }
  const checked = (
    callerTexts: CallerTexts,
    list: WordList,
    format: Format,
    requestId: string,
  ): Promise<void> | undefined => {
    if (callerTexts.length < STEP_LENGTH) return void refuseWord(wordIn(callerTexts.texts, list), format, requestId)
    return wordInSteps(callerTexts.texts, list).then((word) => refuseWord(word, format, requestId))
  }
  return {
    checkPrompt(json, format, requestId) {
      const list = wordsIf('CheckSensitiveOnPromptEnabled')
      return list && checked(textsIn(json), list, format, requestId)
    },
    checkEvent(event, requestId) {
      const list = wordsIf('CheckSensitiveOnPromptEnabled')
      if (!list) return undefined
      const { audio, input_audio_transcription } = objectIn(event.session)
      const contents = [audio, input_audio_transcription, ...CONTENTS.map((name) => event[name])]
      const parts = [
        ...SET_UPS.map((name) => textsIn(objectIn(event[name]))),
        ...contents.map((content) => textsIn(objectIn(content), forEachTextIn)),
      ]
      const callerTexts = {
        texts: parts.flatMap(({ texts }) => texts),
        length: parts.reduce((sum, { length }) => sum + length, 0),
      }
      return checked(callerTexts, list, 'openai', requestId)
    },
    answerWords: () => wordsIf('StopOnSensitiveEnabled'),
    noteAnswer: (word, requestId) => log.warn('a blocked word in an answer', { requestId, word }),
  }
}

/** Members of events with the caller's text, which have members as a body does. */
const SET_UPS = ['session', 'response', 'setup']
/** Members of events that contain only the caller's text: OpenAI's, and Gemini's in both spellings. */
const CONTENTS = [
  'item',
  ...['clientContent', 'client_content', 'realtimeInput', 'realtime_input', 'toolResponse', 'tool_response'],
]

/** Characters read before yielding. */
const STEP_LENGTH = 512 * 1024

type CallerTexts = Readonly<{ texts: readonly (readonly string[])[]; length: number }>

function textsIn(json: JsonObject, forEach = forEachText): CallerTexts {
  const texts: string[][] = []
  let text: string[] = []
  let length = 0
  forEach(json, {
    piece(piece) {
      text.push(piece)
      length += piece.length
    },
    ends() {
      if (text.length > 0) texts.push(text)
      text = []
    },
  })
  return { texts, length }
}

function wordIn(texts: CallerTexts['texts'], list: WordList): string | undefined {
  for (const pieces of texts) {
    const reader = list.reader()
    for (const piece of pieces) {
      const found = reader.read(piece)
      if (found) return found.word
    }
  }
  return undefined
}

async function wordInSteps(texts: CallerTexts['texts'], list: WordList): Promise<string | undefined> {
  let read = 0
  for (const pieces of texts) {
    const reader = list.reader()
    for (const piece of pieces)
      for (let at = 0; at < piece.length; at += STEP_LENGTH) {
        const found = reader.read(piece.slice(at, at + STEP_LENGTH))
        if (found) return found.word
        read += Math.min(STEP_LENGTH, piece.length - at)
        if (read < STEP_LENGTH) continue
        read = 0
        await yieldToOthers()
      }
  }
  return undefined
}

const codes: Readonly<Record<Format, string>> = {
  openai: 'sensitive_words_detected',
  anthropic: 'sensitive_words_detected',
  responses: 'check_request_sensitive_error',
  gemini: 'check_request_sensitive_error',
}

/** The words a response is checked for, and a callback for the one that ended it. */
export type Guard = Readonly<{ words: WordList; note: (word: string) => void }>
