import { useUser } from '../../api/session.ts'
import { useTranslation } from '../../translation.ts'
import type { Chosen } from './kept/kept-conversation.ts'
import { boundTemperature, fineRanges, type PlaySettings, systemText, usualModel } from './settings.ts'
import type { Choices } from './use-choices.ts'

/** What an answer is asked for with, for who is signed in. */
export function usePlaySettings(choices: Choices, chosen: Chosen): PlaySettings {
  const { t } = useTranslation()
  const own = useUser()?.group ?? ''
  return playSettings(choices, chosen, { own, system: t(systemText) })
}

type Usual = Readonly<{
  /** The person's own group. */
  own: string
  /** The system prompt to start with, in their language. */
  system: string
}>

/**
 * What was chosen for the conversation, else the person's own group and the usual model, or the first
 * (docs/reference/screens.md#playground). What was chosen and is no longer offered counts as not chosen.
 */
export function playSettings(
  { groups, models }: Pick<Choices, 'groups' | 'models'>,
  chosen: Chosen,
  { own, system }: Usual,
): PlaySettings {
  const { secondModel: _, group, model, ...rest } = chosen
  const hasGroup = (wanted: string | undefined) => groups.some(({ value }) => value === wanted)
  const usualGroup = hasGroup(own) ? own : (groups[0]?.value ?? '')
  return {
    temperature: boundTemperature(0),
    topP: fineRanges.topP.usual,
    frequencyPenalty: fineRanges.frequencyPenalty.usual,
    presencePenalty: fineRanges.presencePenalty.usual,
    maxTokens: 0,
    system,
    ...rest,
    group: group !== undefined && hasGroup(group) ? group : usualGroup,
    model: offered(model, models) ?? offered(usualModel, models) ?? models[0] ?? '',
  }
}

const offered = (model: string | undefined, models: readonly string[]): string | undefined =>
  models.find((one) => one === model)
