import type { TokenView } from '../../shared/api/token.ts'

/** The key with the prefix that clients send. */
export const keyOf = ({ key }: Pick<TokenView, 'key'>): string => `sk-${key}`

/** A masked key that is still recognizable. */
export const maskedKey = ({ key }: Pick<TokenView, 'key'>): string => `sk-${key.slice(0, 4)}…${key.slice(-4)}`
