import { Button, ButtonGroup } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { useState } from 'react'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { later } from '../../../components/later.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { useTest } from './use-test.ts'

const TestDialog = later(async () => (await import('./test-dialog.tsx')).TestDialog)

/** Tests a channel, or opens the model list behind the arrow; hidden for types that cannot be tested. */
export function TestButtons({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useTest()
  const [isChoosing, setChoosing] = useState(false)
  if (channelTypeById(channel.type)?.testable === false) return null
  const { name } = channel
  const done = (seconds: number) => showSuccess(t('channel.testOk', { name, t: seconds.toFixed(2) }))
  return (
    <>
      <ButtonGroup>
        <Button
          size="small"
          text={t('label.test')}
          aria-label={t('channel.test', { name })}
          loading={isPending}
          onClick={() => mutate(channel, { onSuccess: done })}
        />
        <Button
          size="small"
          icon={<CaretDown />}
          aria-label={t('channel.testModels', { name })}
          onClick={() => setChoosing(true)}
        />
      </ButtonGroup>
      {isChoosing && <TestDialog channel={channel} onClose={() => setChoosing(false)} />}
    </>
  )
}
