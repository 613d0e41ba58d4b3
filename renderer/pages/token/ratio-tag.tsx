import { type Intent, Tag } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'

/**
 * A group's ratio, coloured by how dear it is (docs/reference/screens.md#formats-and-colours); the automatic group has
 * a word instead of a number.
 */
export function RatioTag({ ratio }: { ratio: number | string }) {
  const { t } = useTranslation()
  return (
    <Tag minimal intent={intentOf(ratio)} className="tabular">
      {typeof ratio === 'number' ? t('token.groupRatio', { ratio }) : ratio}
    </Tag>
  )
}

/** Above 5 red, above 3 orange, above 1 blue, else green. */
function intentOf(ratio: number | string): Intent {
  if (typeof ratio !== 'number') return 'none'
  const step = steps.find(({ above }) => ratio > above)
  return step?.intent ?? 'success'
}

const steps = [
  { above: 5, intent: 'danger' },
  { above: 3, intent: 'warning' },
  { above: 1, intent: 'primary' },
] as const
