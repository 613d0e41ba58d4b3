import { Button } from '@blueprintjs/core'
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons'
import type { ComponentProps } from 'react'
import { useTranslation } from '../../translation.ts'
import { BlankState } from './blank-state.tsx'

type FailedStateProps = Readonly<{ message: string; onRetry: () => void; title?: string }> &
  Pick<ComponentProps<typeof BlankState>, 'scope'>

export function FailedState({ message, onRetry, title, ...rest }: FailedStateProps) {
  const { t } = useTranslation()
  return (
    <BlankState
      {...rest}
      icon={<ErrorIcon size={48} />}
      title={title ?? t('state.failed')}
      description={message}
      action={<Button icon={<Refresh />} text={t('state.retry')} onClick={onRetry} />}
    />
  )
}
