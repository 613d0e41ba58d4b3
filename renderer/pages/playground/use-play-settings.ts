import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../api/session.ts'
import { boundTemperature, type PlaySettings, systemText, usualModel } from './settings.ts'
import type { Choices } from './use-choices.ts'

/**
 * The settings of the page: the person's own group and the usual model, else the first
 * (docs/reference/screens.md#playground), until something else is chosen.
 */
export function usePlaySettings({ groups, models }: Choices): [PlaySettings, (change: Partial<PlaySettings>) => void] {
  const { t } = useTranslation()
  const own = useUser()?.group ?? ''
  const [chosen, choose] = useState<Partial<PlaySettings>>({})
  const settings: PlaySettings = {
    group: groups.some(({ value }) => value === own) ? own : (groups[0]?.value ?? ''),
    model: models.includes(usualModel) ? usualModel : (models[0] ?? ''),
    temperature: boundTemperature(0),
    maxTokens: 0,
    system: t(systemText),
    ...chosen,
  }
  return [settings, (change) => choose((earlier) => ({ ...earlier, ...change }))]
}
