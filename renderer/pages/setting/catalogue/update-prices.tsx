import './catalogue.css'
import { useState } from 'react'
import type { CatalogueComparison } from '../../../../shared/api/catalogue.ts'
import { useTranslation } from '../../../translation.ts'
import { Comparison } from './comparison.tsx'
import { SourceForm } from './source-form.tsx'

export function UpdatePrices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [comparison, setComparison] = useState<CatalogueComparison>()
  const title = t('prices.update')
  if (!comparison) return <SourceForm title={title} onCompared={setComparison} onClose={onClose} />
  return (
    <Comparison
      key={comparison.digest}
      title={title}
      comparison={comparison}
      onBack={() => setComparison(undefined)}
      onClose={onClose}
    />
  )
}
