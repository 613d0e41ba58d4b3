import { Button, Classes } from '@blueprintjs/core'
import { useState } from 'react'
import type { LocalFinding } from '../../../shared/api/local-models.ts'
import { byteSize } from '../../components/byte-size.ts'
import { useTranslation } from '../../translation.ts'

/** How many names stand there before somebody asks for the others. */
const SHOWN = 8

/** The models of a program with their size where it says one, and which of them another channel has, too. */
export function ModelNames({ models }: Pick<LocalFinding, 'models'>) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? models : models.slice(0, SHOWN)
  return (
    <>
      <p>{t('localModels.models', { n: models.length })}</p>
      <ul className="local-models-names">
        {shown.map(({ name, bytes, is_elsewhere: isElsewhere }) => (
          <li key={name}>
            <span>{name}</span>
            {bytes > 0 && <span className={Classes.TEXT_MUTED}>{byteSize(bytes)}</span>}
            {isElsewhere && <span className={Classes.TEXT_MUTED}>{t('localModels.elsewhere')}</span>}
          </li>
        ))}
      </ul>
      {shown.length < models.length && (
        <Button variant="minimal" text={t('localModels.all')} onClick={() => setWhole(true)} />
      )}
    </>
  )
}
