/**
 * Whether a text has invisible characters: a name with one could look like another, or reorder the text around it.
 * Joiners and variation selectors in emoji, and joiners in scripts that need them, are allowed.
 */

export const hasUnseen = (text: string): boolean => INVISIBLE.test(withoutUsual(text))

/** Removes all invisible characters, unless `hasUnseen` allows all of them. */
export const withoutUnseen = (text: string): string => (hasUnseen(text) ? text.replace(ALL_INVISIBLE, '') : text)

/** Whether a text has characters that change the writing direction of what follows. */
export const turnsDirection = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(text)

/**
 * Bidirectional marks, zero-width characters, soft hyphens, fillers, tags, line separators, Braille blanks, musical
 * controls, and object replacement characters.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffc\u{1d159}]/u
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu')

const withoutUsual = (text: string): string =>
  text.replace(/\p{RGI_Emoji}|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]/gv, '').replace(JOINED, '')

/** Joiners between letters of Arabic, Syriac, Mongolian and Indic scripts, whose spelling needs them. */
const JOINED =
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}])[\u200c\u200d](?=[\p{L}\p{M}])/gu
