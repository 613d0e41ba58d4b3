import { hasUnseen } from './unseen.ts'

/** Longest name of an account, in characters as people count them. */
export const MAX_USERNAME = 12

/**
 * What is wrong with the name of an account: it is too long, or could pass for a mail address or, by what nobody sees or tells
 * apart, for another name (docs/reference/accounts.md#registration). Somebody logs in by it, so joiners and selectors are refused as well, which other texts may have.
 */
export function flawOfUsername(name: string): 'setup.user_len' | 'setup.user_chars' | undefined {
  if ([...name].length > MAX_USERNAME) return 'setup.user_len'
  const isPlain = !UNUSUAL.test(name) && !hasUnseen(name) && name.normalize('NFKC') === name && !mixesScripts(name)
  return isPlain ? undefined : 'setup.user_chars'
}

/** Scripts that have letters which look like another one's; those of East Asia are written beside Latin. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
]

const mixesScripts = (name: string): boolean => ALIKE.filter((script) => script.test(name)).length > 1

/**
 * Controls, marks without a form, half characters, blanks but the usual one; `@`, which mail addresses have; and marks on Latin
 * letters that have no letter of their own with it.
 */
const UNUSUAL = /[@\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}|\p{Script=Latin}\p{M}/u
