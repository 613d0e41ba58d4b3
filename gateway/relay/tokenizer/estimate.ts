/** Weights of one model family, in tokens per run or character (docs/reference/tokens.md#token-estimator). */
type Weights = Readonly<
  Record<
    'word' | 'number' | 'digit' | 'cjk' | 'symbol' | 'math' | 'urlMark' | 'at' | 'emoji' | 'newline' | 'space',
    number
  >
>

const families = {
  openai: {
    word: 1.02,
    number: 1.55,
    digit: 0.33,
    cjk: 0.85,
    symbol: 0.4,
    math: 2.68,
    urlMark: 1,
    at: 2,
    emoji: 2.12,
    newline: 0.5,
    space: 0.42,
  },
  claude: {
    word: 1.13,
    number: 1.63,
    digit: 0.5,
    cjk: 1.21,
    symbol: 0.4,
    math: 4.52,
    urlMark: 1.26,
    at: 2.82,
    emoji: 2.6,
    newline: 0.89,
    space: 0.39,
  },
  gemini: {
    word: 1.15,
    number: 2.8,
    digit: 1,
    cjk: 0.68,
    symbol: 0.38,
    math: 1.05,
    urlMark: 1.2,
    at: 2.5,
    emoji: 1.08,
    newline: 1.15,
    space: 0.2,
  },
} as const satisfies Record<string, Weights>

const BYTES_PER_TOKEN = 3
/**
 * A word counts once up to this many letters, a number up to this many digits. Every `LETTERS_PER_TOKEN` letters beyond
 * that count as another word, and each digit beyond that counts as `digit`.
 */
const WORD_LETTERS = 10
const LETTERS_PER_TOKEN = 4
const NUMBER_DIGITS = 4
const URL_MARKS = '/:?&=#%'

/** Estimates tokens from text that arrives in pieces; a word split between two pieces counts once. */
export interface TokenEstimator {
  add(text: string): void
  /** Returns whole tokens so far, rounded up; 0 only if there was no text. */
  tokens(): number
  /** Returns an upper estimate for text of any kind: at least one token for every three bytes. */
  max(): number
}

/** Characters examined individually; beyond them, the beginning of each text represents the whole text. */
const MAX_EXAMINED = 1024 * 1024
const MIN_SAMPLE = 256
const MAX_SAMPLE = 16 * 1024
const SAMPLE_DIVISOR = 64
const MAX_WAITING = 64 * 1024

/**
 * Creates an estimator for a model's family: within 5 to 15 % of the real tokenizer, linear in the text up to a million
 * characters; beyond that, texts are extrapolated from their beginnings.
 */
export function createTokenEstimator(model: string): TokenEstimator {
  const weights: Weights = weightsOf(model)
  let sum = 0
  let bytes = 0
  let run: 'word' | 'number' | undefined
  /** Length of the run, in letters of ASCII size, or in digits. */
  let length = 0
  const inWord = (size: number) => {
    if (run !== 'word') {
      run = 'word'
      length = 0
      sum += weights.word
    }
    length += size
    if (length > WORD_LETTERS) sum += (size * weights.word) / LETTERS_PER_TOKEN
  }
  const inNumber = () => {
    if (run !== 'number') {
      run = 'number'
      length = 0
      sum += weights.number
    }
    length += 1
    if (length > NUMBER_DIGITS) sum += weights.digit
  }
  let examined = 0
  const look = (text: string) => {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) inWord(1)
      else if (code >= 48 && code <= 57) inNumber()
      else if (code < 0xdc00 || code > 0xdfff) {
        const kind = kindOf(code, text.charAt(at))
        if (kind === 'word') inWord(sizeOf(code))
        else {
          run = undefined
          sum += weights[kind]
        }
      }
    }
  }
  const take = (text: string) => {
    examined += text.length
    bytes += Buffer.byteLength(text)
    if (examined <= MAX_EXAMINED) return look(text)
    const sample = sampleOf(text)
    const before = sum
    look(sample)
    sum = before + ((sum - before) * text.length) / sample.length
  }
  /**
   * Texts wait until the estimate is requested or there are more than `MAX_WAITING` characters: a short, complete
   * response whose upstream reports usage is never examined.
   */
  const waiting: string[] = []
  let waits = 0
  const takeAll = () => {
    // Short texts are joined: sampled one by one, they would be examined completely.
    if (examined > MAX_EXAMINED && waits > 0) take(waiting.join(''))
    else for (const text of waiting) take(text)
    waiting.length = 0
    waits = 0
  }
  return {
    add(text) {
      if (text === '') return
      waiting.push(text)
      waits += text.length
      if (waits > MAX_WAITING) takeAll()
    },
    tokens() {
      takeAll()
      return Math.ceil(sum)
    },
    max() {
      takeAll()
      return Math.ceil(Math.max(sum, bytes / BYTES_PER_TOKEN))
    },
  }
}

const sampleOf = (text: string): string =>
  text.slice(0, Math.min(MAX_SAMPLE, Math.max(MIN_SAMPLE, Math.ceil(text.length / SAMPLE_DIVISOR))))

function weightsOf(model: string): Weights {
  const name = model.toLowerCase()
  if (name.includes('gemini')) return families.gemini
  return name.includes('claude') ? families.claude : families.openai
}

/**
 * Letters of other scripts take more tokens than ASCII: Latin letters slightly more, letters of India and further east
 * the most.
 */
function sizeOf(code: number): number {
  if (code < 0x250) return 1.5
  return code < 0x900 ? 2 : 2.5
}

function kindOf(code: number, character: string): keyof Weights {
  if (code === 0x20 || code === 0x09) return 'space'
  if (code === 0x0a || code === 0x0d) return 'newline'
  if (code === 0x40) return 'at'
  if (code < 0x80) return URL_MARKS.includes(character) ? 'urlMark' : 'symbol'
  if ((code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af))
    return 'cjk'
  if (code >= 0xd800 && code <= 0xdbff) return 'emoji'
  if ((code >= 0x2190 && code <= 0x22ff) || (code >= 0x27c0 && code <= 0x2aff)) return 'math'
  return code >= 0x2000 && code <= 0x2bff ? 'symbol' : 'word'
}
