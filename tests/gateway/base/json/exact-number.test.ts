import { describe, expect, it } from 'vitest'
import { isObject, numberIn, parsed, parsedAsWritten } from '../../../../gateway/base/json/json.ts'
import { readJson, readJsonNow, readValueNow } from '../../../../gateway/base/json/json-read.ts'
import { LARGE, requestBounds } from '../../../../gateway/base/json/json-scan.ts'
import { writeJson } from '../../../../gateway/base/json/json-write.ts'
import { EqualValues } from '../../../../gateway/relay/formats/equal-values.ts'

const changing = ['9007199254740993', '-18446744073709551616', '1e400', '-1E+400', '1e-400', '12345678901234567890.5']
const staying = ['0', '-0', '1.0', '0.1000', '1E-7', '1e5', '9007199254740992', '1e22', '0.12345678901234567890']
const ways: Readonly<Record<string, (text: string) => unknown>> = {
  parsed,
  readJsonNow: (text) => readJsonNow(Buffer.from(text), requestBounds).json,
  readValueNow: (text) => readValueNow(Buffer.from(text), requestBounds),
}

describe('a number that a double changes (docs/reference/conversion.md#embedded-json)', () => {
  it.each(Object.entries(ways))('is written as it came, at any position: %s', (_, read) => {
    for (const number of changing)
      for (const text of [number, `[${number}]`, `{"a":${number},"b":[${number}, ${number}\n]}`])
        expect(JSON.stringify(read(text))).toBe(text.replaceAll(/\s/g, ''))
  })

  it('is not an object and not usable as a number, while any other number keeps its value', () => {
    for (const number of changing) {
      expect(isObject(parsed(number))).toBe(false)
      expect(numberIn(parsed(number))).toBeUndefined()
      expect(String(parsed(number))).toBe(number)
    }
    for (const number of staying) expect(parsed(`[${number}, 9007199254740993]`)).toMatchObject([Number(number), {}])
  })

  it('stays exact in a large body with long texts and lists', async () => {
    const long = 'x'.repeat(LARGE)
    const text = `{"a":9007199254740993,"long":"${long}","list":[${'9007199254740993,'.repeat(999)}1e400]}`
    const { json } = await readJson(Buffer.from(text), requestBounds)
    expect(String(await writeJson(json, true)) === text).toBe(true)
    expect(JSON.stringify(json) === text).toBe(true)
  })

  it('is found after any number of digits up to the limit, and costs nothing where the text contains none', () => {
    const digits = '7'.repeat(4096)
    expect(JSON.stringify(readJsonNow(Buffer.from(`{"a":${digits}}`), requestBounds).json)).toBe(`{"a":${digits}}`)
    for (const long of [`${digits}7`, `0.${digits}`, `-1e${digits}`])
      expect(() => readJsonNow(Buffer.from(`{"a":${long}}`), requestBounds), long.slice(0, 4)).toThrow(/number/)
    const has = (text: string) => readJsonNow(Buffer.from(text), requestBounds).scan.hasLargeNumbers
    expect(has('{"a":[0.0123456789012345678,-1.5e-07,1,123456789012345],"b":"9007199254740993"}')).toBe(false)
    expect(has('[1e21]')).toBe(true)
  })

  it('is the same as another only where its digits are', () => {
    const values = new EqualValues()
    const [one, other, again] = ['9007199254740993', '9007199254740992.5', '9007199254740993'].map((text) =>
      values.idOf(parsed(`{"a":${text}}`)),
    )
    expect(one).toBe(again)
    expect(one).not.toBe(other)
  })
})

describe('JSON that is only carried', () => {
  it('keeps the letters of every number', () => {
    for (const text of ['{"a":1.0,"b":-0,"c":0.10,"d":1E5,"e":[1e400]}', '-0', '[0.5,10,0]'])
      expect(JSON.stringify(parsedAsWritten(text))).toBe(text)
  })
})
