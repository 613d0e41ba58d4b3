import type { TokenView } from '../../shared/api/token.ts'

/** The key as clients send it, with its prefix. */
export const keyOf = ({ key }: Pick<TokenView, 'key'>): string => `sk-${key}`

/** Enough of a key to tell it from others, and no more. */
export const maskedKey = ({ key }: Pick<TokenView, 'key'>): string => `sk-${key.slice(0, 4)}…${key.slice(-4)}`
