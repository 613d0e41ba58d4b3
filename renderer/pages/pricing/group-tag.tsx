import { Classes } from '@blueprintjs/core'
import { printed } from '../../../shared/pricing.ts'
import { useGroupName } from '../../components/group-name.ts'
import { useTranslation } from '../../translation.ts'
import { ratioIntent } from './ratio-intent.ts'

type GroupTagProps = Readonly<{
  group: string
  ratio: number
  isChosen: boolean
  onChoose: (group: string) => void
  hasRatio?: boolean
}>

/** A group in the colour of its ratio; a click shows its prices (docs/reference/screens.md#pricing). */
export function GroupTag({ group, ratio, isChosen, onChoose, hasRatio = false }: GroupTagProps) {
  const { t } = useTranslation()
  const name = useGroupName()(group)
  const times = t('pricing.times', { ratio: printed(ratio) })
  const looks = `pricing-group ${Classes.TAG} ${Classes.INTERACTIVE} ${Classes.intentClass(ratioIntent(ratio)) ?? ''}`
  return (
    <button
      type="button"
      className={isChosen ? looks : `${looks} ${Classes.MINIMAL}`}
      aria-pressed={isChosen}
      title={hasRatio ? undefined : times}
      onClick={() => onChoose(group)}
    >
      <span>{hasRatio ? `${name} ${times}` : name}</span>
    </button>
  )
}
