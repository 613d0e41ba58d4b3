import { awaited, contextOf, type Entry } from './conversation.ts'
import { changeMessage, nextId } from './lanes.ts'
import type { PlaySettings } from './settings.ts'
import { useAnswer } from './use-answer.ts'
import type { Current } from './use-current.ts'

/**
 * A question for some of the lanes: `prepare` returns a requested lane's entries, which end with the question, given a
 * new id for it.
 */
type Question = Readonly<{
  isRequested: (index: number) => boolean
  prepare: (entries: readonly Entry[], id: number) => readonly Entry[]
}>

type ChatRequest = Readonly<{
  isBusy: boolean
  request: (question: Question) => void
  stop: () => void
  settingsOf: (index: number) => PlaySettings
}>

/** Queries the models of the requested lanes in parallel. */
export function useChatRequest(
  { current, latest, put, alter, storeNow }: Current,
  settings: PlaySettings,
): ChatRequest {
  const [first, second] = [useAnswer(), useAnswer()]
  const answering = [first, second]
  const settingsOf = (index: number): PlaySettings =>
    index === 0 ? settings : { ...settings, model: current.chosen.secondModel ?? settings.model }
  return {
    settingsOf,
    isBusy: first.isBusy || second.isBusy,
    stop() {
      for (const one of answering) if (one.isBusy) one.stop()
    },
    request({ isRequested, prepare }) {
      const now = latest()
      const id = nextId(now)
      const idOf = (index: number) => id + 1 + index
      const questions = now.lanes.map((entries, index) => (isRequested(index) ? prepare(entries, id) : undefined))
      const lanes = now.lanes.map((entries, index) => {
        const question = questions[index]
        return question ? [...question, awaited(idOf(index), settingsOf(index))] : entries
      })
      const pending = { ...now, lanes, changedAt: Date.now() }
      put(pending)
      // The question is stored before its answer arrives, because the page may be closed while waiting.
      storeNow()
      for (const [index, question] of questions.entries()) {
        if (!question) continue
        const change = (part: Parameters<typeof changeMessage>[2]) =>
          alter(now.id, changeMessage(index, idOf(index), part))
        answering[index]?.request(contextOf(question, settings.system), settingsOf(index), change)
      }
    },
  }
}
