import { hasUnseen } from './unseen.ts'

/** Maximum length of an account's name, in code points. */
export const MAX_USERNAME = 12

/**
 * What is wrong with an account name: it is too long, or could be mistaken for a mail address or, due to invisible or
 * similar characters, for another name (docs/reference/accounts.md#registration). It is used to log in, so joiners
 * and selectors, which other texts may have, are refused as well.
 */
export function flawOfUsername(name: string): 'setup.user_len' | 'setup.user_chars' | undefined {
  if ([...name].length > MAX_USERNAME) return 'setup.user_len'
  const isPlain = !FORBIDDEN.test(name) && !hasUnseen(name) && name.normalize('NFKC') === name && !mixesScripts(name)
  return isPlain ? undefined : 'setup.user_chars'
}

/** Scripts with similar-looking letters; those of East Asia are used together with Latin. */
const CONFUSABLE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
]

const mixesScripts = (name: string): boolean => CONFUSABLE_SCRIPTS.filter((script) => script.test(name)).length > 1

/**
 * Control and format characters, lone surrogates, blanks other than the space; `@`, which mail addresses have; and
 * combining marks on Latin letters without a composed form.
 */
const FORBIDDEN = /[@\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}|\p{Script=Latin}\p{M}/u
