import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'

/**
 * The meaning of a sequence of events, independent of how they are cut into pieces: by choice, with text, calls and
 * reasoning joined.
 */
export function gist(events: readonly AnswerEvent[]): unknown {
  const choices = new Map<number, Choice>()
  for (const event of events) if ('choice' in event) add(choiceOf(choices, event.choice), event)
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  return { choices: [...choices.entries()].sort(([a], [b]) => a - b), usage }
}

type Said = Record<string, unknown>
type Choice = {
  texts: Record<string, string>
  calls: Map<number, Said>
  thoughts: Said[]
  finish: Said[]
  citations: Said[]
}

function choiceOf(choices: Map<number, Choice>, index: number): Choice {
  const choice = choices.get(index) ?? { texts: {}, calls: new Map(), thoughts: [], finish: [], citations: [] }
  choices.set(index, choice)
  return choice
}

function add(choice: Choice, event: Extract<AnswerEvent, { choice: number }>): void {
  const { choice: _, type, ...said } = event
  if (event.type === 'text' || event.type === 'refusal') choice.texts[type] = (choice.texts[type] ?? '') + event.text
  if (event.type === 'citation') choice.citations.push(said)
  if (event.type === 'finish') choice.finish.push(said)
  if (event.type === 'reasoning') {
    const open = choice.thoughts.at(-1)
    if (open && !open.signature && !event.redacted) Object.assign(open, said, { text: `${open.text}${event.text}` })
    else if (event.text || event.signature) choice.thoughts.push(said)
  }
  if (event.type === 'tool') {
    const { json = '', ...more } = event
    const known = choice.calls.get(event.call)
    choice.calls.set(event.call, { ...known, ...more, json: `${known?.json ?? ''}${json}` })
  }
}
