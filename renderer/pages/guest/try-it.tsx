import { Button, Callout, Card, Classes } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { answerTo } from './use-given-key.ts'

type TryItProps = Readonly<{ givenKey: string; model: string; onAnswer: () => void }>

/** Shows that the key works, without a program. */
export function TryIt({ givenKey, model, onAnswer }: TryItProps) {
  const { t } = useTranslation()
  const text = t('guest.tryText')
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => answerTo(givenKey, model, text),
    onSuccess: onAnswer,
  })
  return (
    <Card>
      <p className={Classes.TEXT_MUTED}>{t('guest.tryHint', { text, model })}</p>
      <Button intent="primary" text={t('guest.try')} loading={isPending} onClick={() => mutate()} />
      {data !== undefined && (
        <Callout className="guest-answer" intent="success" role="status">
          {data || t('guest.noAnswer')}
        </Callout>
      )}
      {error && (
        <Callout className="guest-answer" intent="danger" role="alert">
          {error.message}
        </Callout>
      )}
    </Card>
  )
}
