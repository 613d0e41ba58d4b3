import { linesOf } from '../../../shared/options/lists.ts'
import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { type JsonObject, objectIn } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Format } from '../formats/format.ts'
import { forEachText } from './prompt-texts.ts'
import { createWordList, type WordList } from './word-list.ts'

/** The operator's blocked words (docs/reference/limits.md#blocked-words). */
export interface WordGuard {
  /** Refuses a body that says one of them; the word itself is told to the log alone. A long one is read in turns with others. */
  checkPrompt(json: JsonObject, format: Format, requestId: string): Promise<void> | undefined
  /** Refuses an event of a realtime session that says one of them, as `checkPrompt` does. */
  checkEvent(event: JsonObject, requestId: string): Promise<void> | undefined
  /** The words that end an answer; undefined while answers are not read for them. */
  answerWords(): WordList | undefined
  /** Tells the log which word ended an answer. */
  noteAnswer(word: string, requestId: string): void
}

/** Follows the options; the words are made searchable once for each change of them. */
export function createWordGuard(settings: Pick<Settings, 'get' | 'derive'>, log: Logger): WordGuard {
  const words = settings.derive(['SensitiveWords'], () => createWordList(linesOf(settings.get('SensitiveWords'))))
  const wordsIf = (flag: 'CheckSensitiveOnPromptEnabled' | 'StopOnSensitiveEnabled') =>
    settings.get('CheckSensitiveEnabled') && settings.get(flag) ? words() : undefined
  const refuseWord = (word: string | undefined, format: Format, requestId: string) => {
    if (word === undefined) return
    log.warn('a blocked word in a request', { requestId, word })
    throw refuse('invalid', 'relay.sensitiveWords', {}, { code: codes[format] })
  }
  const checked = (said: Said, list: WordList, format: Format, requestId: string): Promise<void> | undefined => {
    if (said.length < A_TURN) return void refuseWord(wordIn(said.texts, list), format, requestId)
    return wordInTurns(said.texts, list).then((word) => refuseWord(word, format, requestId))
  }
  return {
    checkPrompt(json, format, requestId) {
      const list = wordsIf('CheckSensitiveOnPromptEnabled')
      return list && checked(saidIn(json), list, format, requestId)
    },
    checkEvent(event, requestId) {
      const list = wordsIf('CheckSensitiveOnPromptEnabled')
      if (!list) return undefined
      const parts = SAID.map((name) => saidIn(objectIn(event[name])))
      const said = {
        texts: parts.flatMap(({ texts }) => texts),
        length: parts.reduce((sum, { length }) => sum + length, 0),
      }
      return checked(said, list, 'openai', requestId)
    },
    answerWords: () => wordsIf('StopOnSensitiveEnabled'),
    noteAnswer: (word, requestId) => log.warn('a blocked word in an answer', { requestId, word }),
  }
}

/** The members in which callers say something: of OpenAI's realtime events, and of Gemini's, in both of its spellings. */
const SAID = [
  ...['session', 'item', 'response'],
  ...['setup', 'clientContent', 'client_content', 'realtimeInput', 'realtime_input', 'toolResponse', 'tool_response'],
] as const

/** Characters read before others have their turn. */
const A_TURN = 512 * 1024

/** What a body says, each text with its pieces; their characters in all. */
type Said = Readonly<{ texts: readonly (readonly string[])[]; length: number }>

function saidIn(json: JsonObject): Said {
  const texts: string[][] = []
  let text: string[] = []
  let length = 0
  forEachText(json, {
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

/** The first blocked word in the texts. */
function wordIn(texts: Said['texts'], list: WordList): string | undefined {
  for (const pieces of texts) {
    const reader = list.reader()
    for (const piece of pieces) {
      const found = reader.read(piece)
      if (found) return found.word
    }
  }
  return undefined
}

async function wordInTurns(texts: Said['texts'], list: WordList): Promise<string | undefined> {
  let read = 0
  for (const pieces of texts) {
    const reader = list.reader()
    for (const piece of pieces)
      for (let at = 0; at < piece.length; at += A_TURN) {
        const found = reader.read(piece.slice(at, at + A_TURN))
        if (found) return found.word
        read += Math.min(A_TURN, piece.length - at)
        if (read < A_TURN) continue
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

/** The words an answer is read for, and who is told of one that ended it. */
export type Guard = Readonly<{ words: WordList; note: (word: string) => void }>
