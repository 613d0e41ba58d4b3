import { Search } from '@blueprintjs/icons'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { useTranslation } from '../../../translation.ts'

export function NoModel() {
  const { t } = useTranslation()
  return (
    <BlankState
      scope="section"
      icon={<Search size={48} />}
      title={t('priceEditor.noneFound')}
      description={t('priceEditor.noneFoundHint')}
    />
  )
}
