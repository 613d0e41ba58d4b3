import type { WordList } from './word-list.ts'

/** The words an answer is read for, and who is told of one that ended it. */
export type Guard = Readonly<{ words: WordList; note: (word: string) => void }>
