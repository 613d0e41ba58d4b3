/** Words in the last turn by which an agent requests a summary of the conversation. */
const SUMMARY_WORDS = /summar|compaction|checkpoint|state_snapshot/i

/** A name that every summary in the plays contains, so that it can be recognized. */
export const SUMMARY_NAME = 'lighthouse-8862'

/** Whether a request of any dialect asks for a summary. */
export function asksForSummary(json: Readonly<Record<string, unknown>>): boolean {
  const turns = json.messages ?? json.input ?? json.contents
  const people = Array.isArray(turns) ? turns.filter(({ role }) => !/system|developer/.test(role)) : [turns]
  const last = JSON.stringify(people.at(-1)) ?? ''
  return SUMMARY_WORDS.test(last) && !last.includes(SUMMARY_NAME)
}
