import { describe, expect, it } from 'vitest'
import { dataUrlIn, dataUrlOut } from '../../../../gateway/base/bytes/data-url.ts'
import { sniffed } from '../../../../gateway/base/bytes/mime-type.ts'
import { JPEG, PNG } from '../../relay/media/file-server.ts'

const png = PNG.toString('base64')
const jpeg = JPEG.toString('base64')

describe('a data URL', () => {
  it.each([
    ['as usual', `data:image/png;base64,${png}`, 'image/png', png],
    ['with parameters', 'data:text/plain;charset=utf-8;name="a.txt";base64,aGk=', 'text/plain', 'aGk='],
    ['in capitals', `DATA:IMAGE/PNG;BASE64,${png}`, 'image/png', png],
    ['without padding', 'data:text/plain;base64,aGk', 'text/plain', 'aGk='],
    ['with white space', 'data:text/plain ; base64,\n aG\r\n\tk= \n', 'text/plain', 'aGk='],
    ['in the alphabet for URLs', 'data:text/plain;base64,-_-_', 'text/plain', '+/+/'],
    ['without a type', `data:;base64,${png}`, 'image/png', png],
    ['without anything before base64', `data:base64;base64,${jpeg}`, 'image/jpeg', jpeg],
    ['of octets', `data:application/octet-stream;base64,${jpeg}`, 'image/jpeg', jpeg],
    ['of unknown octets', 'data:application/octet-stream;base64,AAAA', 'application/octet-stream', 'AAAA'],
    ['with an old name', `data:image/jpg;base64,${jpeg}`, 'image/jpeg', jpeg],
    ['with the type of another image', `data:image/gif;base64,${jpeg}`, 'image/jpeg', jpeg],
    ['of a sound under its rarer name', 'data:audio/x-wav;base64,UklGRgAAAABXQVZF', 'audio/wav', 'UklGRgAAAABXQVZF'],
  ])('%s', (_, url, mime, data) => expect(dataUrlIn(url, 'application/octet-stream')).toEqual({ mime, data }))

  it.each([
    ['nothing', ''],
    ['an http URL', 'http://127.0.0.1/a;base64,aGk='],
    ['no comma', 'data:image/png;base64'],
  ])('is not recognized in %s', (_, text) => expect(dataUrlIn(text, 'image/png')).toBeUndefined())

  it('of text is its base64', () => {
    expect(dataUrlIn('data:text/plain,hello%20there', 'image/png')).toEqual({
      mime: 'text/plain',
      data: 'aGVsbG8gdGhlcmU=',
    })
    expect(dataUrlIn('data:text/plain,100%', 'image/png')?.data).toBe('MTAwJQ==')
  })

  it('keeps invalid base64 unchanged, for the vendor to judge', () => {
    expect(dataUrlIn('data:image/png;base64,aG<k=', 'image/png')).toEqual({ mime: 'image/png', data: 'aG<k=' })
  })

  it('can contain twenty megabytes', () => {
    const data = Buffer.alloc(20 * 1024 * 1024).toString('base64')
    expect(dataUrlIn(`data:video/mp4;base64,${data}`, '')?.data.length).toBe(data.length)
  })

  it('is written again exactly as it was read', () => {
    const url = `data:image/png;base64,${png}`
    expect(dataUrlOut(dataUrlIn(url, '')!)).toBe(url)
  })
})

describe('a file gives its type away', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/gif', 'GIF89a\x01\0'],
    ['image/webp', 'RIFF\0\0\0\0WEBPVP8 '],
    ['image/bmp', 'BM\x10\0\0\0\0\0\0\0\x36'],
    ['image/tiff', 'II*\0\x08'],
    ['image/avif', '\0\0\0\x20ftypavif'],
    ['image/heic', '\0\0\0\x20ftypheic'],
    ['application/pdf', '%PDF-1.7\n'],
    ['audio/wav', 'RIFF\0\0\0\0WAVEfmt '],
    ['audio/mpeg', 'ID3\x04\0'],
    ['audio/mpeg', '\xff\xfb\x90\x44'],
    ['audio/aac', '\xff\xf1\x50\x80'],
    ['audio/ogg', 'OggS\0\x02'],
    ['audio/flac', 'fLaC\0\0\0\x22'],
    ['audio/aiff', 'FORM\0\0\0\0AIFF'],
    ['audio/mp4', '\0\0\0\x20ftypM4A '],
    ['video/mp4', '\0\0\0\x20ftypisom'],
    ['video/mov', '\0\0\0\x14ftypqt  '],
    ['video/webm', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm'],
    ['video/x-matroska', '\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska'],
    ['video/avi', 'RIFF\0\0\0\0AVI LIST'],
    ['video/flv', 'FLV\x01\x05'],
    ['video/mpeg', '\0\0\x01\xba\x44'],
    [undefined, 'plain text that says RIFF and WEBP'],
    [undefined, 'BM and no picture'],
    [undefined, ''],
  ])('%s', (mime, bytes) => {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    expect(sniffed(buffer)).toBe(mime)
  })
})
