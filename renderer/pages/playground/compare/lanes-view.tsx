import './lanes-view.css'
import { Tab, Tabs } from '@blueprintjs/core'
import type { JSX } from 'react'
import { reachableTab } from '../../../components/reachable-tab.ts'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useTabsName } from '../../../components/use-tabs-name.ts'
import { useTranslation } from '../../../translation.ts'

/** One lane under the name of its model. */
type NamedLane = Readonly<{ id: string; model: string; lane: JSX.Element }>

/** A conversation with two models: side by side, on a phone behind tabs. */
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
  // Both stay in the page: an answer goes on coming in where nobody looks.
  return (
    <Tabs id="play-lanes" className="play-lanes-tabs">
      {lanes.map(({ id, model, lane }) => (
        <Tab key={id} {...reachableTab} id={id} title={model} panel={lane} />
      ))}
    </Tabs>
  )
}
