import type { RoutingExplanation } from '../../../shared/api/routing.ts'
import { currentLocale } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { sentencesOf } from './sentences.ts'

/** The answer to a request that is not refused, in plain words. */
export function Summary({ explanation }: { explanation: RoutingExplanation }) {
  const { t } = useTranslation()
  const locale = currentLocale()
  return <p className="explain-summary">{sentencesOf(explanation, { t, locale }).join(spaces[locale])}</p>
}

/** Chinese sentences follow each other without a space. */
const spaces = { en: ' ', zh: '' } as const
