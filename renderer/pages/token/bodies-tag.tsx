import { Tag } from '@blueprintjs/core'
import { useKeepNote } from '../../api/use-keep-note.ts'
import { sentences } from '../../components/sentences.ts'
import { useTranslation } from '../../translation.ts'

/** Tells that the bodies of the token's calls are to be kept, and on hover what becomes of them. */
export function BodiesTag() {
  const { t } = useTranslation()
  const note = useKeepNote()
  return (
    <Tag minimal htmlTitle={sentences(t('token.bodiesHint'), note)}>
      {t('token.bodiesKept')}
    </Tag>
  )
}
