import { currentLocale } from '../../i18n.ts'

/** Formats integers of any size with the language's separators; strings must hold digits. */
export function useNumbers(): (value: number | string) => string {
  const format = new Intl.NumberFormat(currentLocale())
  return (value) => format.format(BigInt(value))
}
