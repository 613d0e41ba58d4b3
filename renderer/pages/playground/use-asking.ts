import { awaited, contextOf, type Entry } from './conversation.ts'
import { changeMessage, nextId } from './lanes.ts'
import type { PlaySettings } from './settings.ts'
import { useAnswer } from './use-answer.ts'
import type { Current } from './use-current.ts'

/** What to ask of which lanes: `prepare` returns the lane's entries up to the question, given a new id. */
type Question = Readonly<{
  isAsked: (place: number) => boolean
  prepare: (entries: readonly Entry[], id: number) => readonly Entry[]
}>

export type Asking = Readonly<{
  isBusy: boolean
  ask: (question: Question) => void
  stop: () => void
  settingsOf: (place: number) => PlaySettings
}>

/** Queries the models of all lanes in parallel. */
export function useAsking({ current, latest, put, alter, keep }: Current, settings: PlaySettings): Asking {
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
    ask({ isAsked, prepare }) {
      const now = latest()
      const id = nextId(now)
      const idOf = (index: number) => id + 1 + index
      const questions = now.lanes.map((entries, index) => (isAsked(index) ? prepare(entries, id) : undefined))
      const lanes = now.lanes.map((entries, index) => {
        const question = questions[index]
        return question ? [...question, awaited(idOf(index), settingsOf(index))] : entries
      })
      const asked = { ...now, lanes, changedAt: Date.now() }
      put(asked)
      // The question is stored before its answer arrives, because the page may be closed until then.
      keep()
      for (const [index, question] of questions.entries()) {
        if (!question) continue
        const change = (part: Parameters<typeof changeMessage>[2]) =>
          alter(now.id, changeMessage(index, idOf(index), part))
        answering[index]?.ask(contextOf(question, settings.system), settingsOf(index), change)
      }
    },
  }
}
