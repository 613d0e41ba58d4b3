import './lanes-view.css'
import { Tab, Tabs } from '@blueprintjs/core'
import type { JSX } from 'react'
import { reachableTab } from '../../../components/reachable-tab.ts'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useTabsName } from '../../../components/use-tabs-name.ts'
import { useTranslation } from '../../../translation.ts'

type NamedLane = Readonly<{ id: string; model: string; lane: JSX.Element }>

/** Two lanes side by side, or as tabs on a phone. */
export default function LanesView({ lanes }: { lanes: readonly NamedLane[] }) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  useTabsName('play-lanes', t('play.compared'))
  if (!isNarrow)
    return (
      <div className="play-lanes">
        {lanes.map(({ id, lane }) => (
          <div key={id} className="play-lanes-one">
            {lane}
          </div>
        ))}
      </div>
    )
  // Both stay mounted, so that an answer is also received in the hidden one.
  return (
    <Tabs id="play-lanes" className="play-lanes-tabs">
      {lanes.map(({ id, model, lane }) => (
        <Tab key={id} {...reachableTab} id={id} title={model} panel={lane} />
      ))}
    </Tabs>
  )
}
