import type { LoginProvider } from '../../../shared/api/oauth.ts'
import { useTranslation } from '../../translation.ts'

type ProviderSentence =
  | 'provider.logIn'
  | 'provider.loggingIn'
  | 'provider.binding'
  | 'provider.bindTo'
  | 'provider.unbindFrom'
  | 'provider.unbindQuestion'
  | 'provider.unbindText'
  | 'provider.unbound'

/** Provider names and sentences that contain them, without a space between two Chinese characters. */
export function useProviderTexts() {
  const { t } = useTranslation()
  const nameOf = (provider: LoginProvider) => t(`provider.${provider}`)
  const textOf = (sentence: ProviderSentence, provider: LoginProvider) =>
    t(sentence, { name: nameOf(provider) }).replace(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1')
  return { nameOf, textOf }
}
