import { type Draft, newDraft } from './draft.ts'
import { editableObject } from './json-members.ts'

/** The sections of the form and the fields that stand in each. */
export const sectionFields = {
  vendor: ['type', 'name', 'key', 'organization', 'baseUrl', 'other'],
  models: ['models', 'modelMapping', 'testModel'],
  routing: ['groups', 'tag', 'priority', 'weight', 'maxInputTokens', 'autoBan'],
  requests: ['apiFormat', 'proxy', 'statusMapping', 'paramOverride'],
  settings: ['setting'],
} as const satisfies Record<string, readonly (keyof Draft)[]>
export type SectionName = keyof typeof sectionFields

/** How many fields of a section are not as a new channel has them; of the settings, how many there are. */
export function changedIn(section: SectionName, draft: Draft): number {
  if (section === 'settings') return Object.keys(editableObject(draft.setting) ?? { unreadable: true }).length
  return sectionFields[section].filter((field) => String(draft[field]) !== String(newDraft[field])).length
}
