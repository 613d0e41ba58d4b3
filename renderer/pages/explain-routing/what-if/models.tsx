import { Card, Classes } from '@blueprintjs/core'
import type { WhatIfModel } from '../../../../shared/api/what-if.ts'
import { useTranslation } from '../../../translation.ts'
import { countText } from './figures.ts'

type ModelsProps = Readonly<{ title: string; models: readonly WhatIfModel[]; all: number }>

/** Models that come or go, with how often they were asked for. */
export function Models({ title, models, all }: ModelsProps) {
  const { t } = useTranslation()
  if (models.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className={`explain-heading ${Classes.HEADING}`}>{title}</h2>
      <Card className="explain-card">
        <ul className="explain-off what-if-models">
          {models.map(({ group, model, calls }) => (
            <li key={`${group}\n${model}`}>
              <span className="explain-model">{model}</span>
              <span className={Classes.TEXT_MUTED}>{group}</span>
              <span className="tabular">{t('whatIf.modelCalls', { n: countText(calls) })}</span>
            </li>
          ))}
        </ul>
      </Card>
      {all > models.length && (
        <p className={`explain-note ${Classes.TEXT_MUTED}`}>{t('whatIf.moreModels', { n: models.length, all })}</p>
      )}
    </section>
  )
}
