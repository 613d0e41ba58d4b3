import './price-editor.css'
import { Tab, Tabs } from '@blueprintjs/core'
import { useEffect, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { reachableTab } from '../../../components/reachable-tab.ts'
import { useTabsName } from '../../../components/use-tabs-name.ts'
import { useTranslation } from '../../../translation.ts'
import { JsonEditors } from './json-editors.tsx'
import type { OptionTexts } from './option-texts.ts'
import { jsonCodec, priceCodec } from './price-table.ts'
import { StoredOptions } from './stored-options.tsx'
import { UnsetModels } from './unset-models.tsx'
import { VisualEditor } from './visual-editor.tsx'

/**
 * Three editors of model prices (docs/reference/screens.md#pricing-editors). Input in one stays while another is open.
 * `model` in the address opens the prices of that model, and `key`, which the settings search sets, opens the JSON of
 * that option.
 */
export function RatioPanel() {
  return <StoredOptions>{(texts) => <Editors texts={texts} />}</StoredOptions>
}

function Editors({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation()
  useTabsName('prices', t('panel.operation/ratios'))
  const [query] = useSearchParams()
  const [model, key] = [query.get('model'), query.get('key')]
  const [tab, setTab] = useState('visual')
  useEffect(() => {
    if (jsonCodec.keys.some((name) => name === key)) setTab('json')
  }, [key])
  const stored = useMemo(() => priceCodec.read(texts), [texts])
  return (
    <>
      <p className="price-editor-estimate">
        <Link to={ESTIMATE_PATH}>{t('priceEditor.cost')}</Link>
      </p>
      <Tabs
        id="prices"
        animate={false}
        className="price-editor-tabs"
        selectedTabId={tab}
        onChange={(next) => setTab(String(next))}
      >
        <Tab
          {...reachableTab}
          id="visual"
          title={t('priceEditor.tabVisual')}
          panel={<VisualEditor stored={stored} model={model} />}
        />
        <Tab {...reachableTab} id="json" title={t('priceEditor.tabJson')} panel={<JsonEditors texts={texts} />} />
        <Tab {...reachableTab} id="unset" title={t('priceEditor.tabUnset')} panel={<UnsetModels stored={stored} />} />
      </Tabs>
    </>
  )
}

/** "What would this request cost?" on the pricing page. */
const ESTIMATE_PATH = '/pricing?cost='
