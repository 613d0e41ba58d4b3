import { Card, Tab, Tabs } from '@blueprintjs/core'
import { useState } from 'react'
import { reachableTab } from '../../components/reachable-tab.ts'
import { Select } from '../../components/select.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTabsName } from '../../components/use-tabs-name.ts'
import { useTranslation } from '../../translation.ts'
import { ownSystem, type System, type Target } from './snippets/snippet.ts'
import { useClients } from './use-clients.tsx'

type ExamplesProps = Readonly<{
  target: Omit<Target, 'system'>
  /** A recognizable part of the key; the full key is only copied. */
  maskedKey: string
}>

/** One tab per program, with examples or values to enter. A list instead of tabs on a phone. */
export function Examples({ target, maskedKey }: ExamplesProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const [system, setSystem] = useState<System>(ownSystem)
  const [variant, setVariant] = useState<string>()
  const clients = useClients({
    target: { ...target, system },
    maskedKey,
    manner: { variant, onVariant: setVariant, onSystem: setSystem },
  })
  useTabsName('examples', t('client.snippets'))
  const [first] = clients
  const [id, setId] = useState(first?.id ?? '')
  if (isNarrow)
    return (
      <Card className="examples">
        <Select
          aria-label={t('client.snippets')}
          fill
          value={id}
          options={clients.map(({ id: value, title: label }) => ({ value, label }))}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        {clients.find((client) => client.id === id)?.panel}
      </Card>
    )
  return (
    <Card className="examples">
      <Tabs id="examples" vertical renderActiveTabPanelOnly selectedTabId={id} onChange={(next) => setId(String(next))}>
        {clients.map((client) => (
          <Tab key={client.id} {...reachableTab} {...client} />
        ))}
      </Tabs>
    </Card>
  )
}
