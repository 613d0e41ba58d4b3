import { useUser } from '../../api/session.ts'
import { usualModelOf } from '../../components/usual-model.ts'
import { useTranslation } from '../../translation.ts'
import type { Chosen } from './conversations/stored-conversation.ts'
import { boundTemperature, fineRanges, type PlaySettings, systemText } from './settings.ts'
import type { Choices } from './use-choices.ts'

/** The settings of the next request. */
export function usePlaySettings(choices: Choices, chosen: Chosen): PlaySettings {
  const { t } = useTranslation()
  const own = useUser()?.group ?? ''
  return playSettings(choices, chosen, { own, system: t(systemText) })
}

type Usual = Readonly<{
  own: string
  system: string
}>

/**
 * The conversation's settings, else the user's group and the default or first model
 * (docs/reference/screens.md#playground). Values that are no longer available are ignored.
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
    model: models.find((one) => one === model) ?? usualModelOf(models) ?? '',
  }
}
