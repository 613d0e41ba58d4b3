import type { RequestGolden } from '../golden.ts'
import { anthropic, dataUrl, gemini, openai, pdf, pixel, responses, vendor, wav } from '../requests.ts'

const asks = (content: unknown) => [{ role: 'user', content }]
const shows = (...parts: readonly unknown[]) => [{ role: 'user', parts }]
const ELSEWHERE = 'The file is accessible only at the vendor that stores it'
const PNG = 'image/png'
const PDF = 'application/pdf'
const address = 'https://files.example/pixel.png'
const paper = 'https://files.example/report.pdf'

const inline = gemini({ contents: shows({ text: 'What is it?' }, { inlineData: { mimeType: PNG, data: pixel } }) })
const inlinePdf = gemini({ contents: shows({ text: 'What is it?' }, { inlineData: { mimeType: PDF, data: pdf } }) })
const namedPdf = gemini({
  contents: shows({ text: 'What is it?' }, { text: 'File: report.pdf' }, { inlineData: { mimeType: PDF, data: pdf } }),
})
const text = { type: 'text', text: 'What is it?' }
const inputText = { type: 'input_text', text: 'What is it?' }

/** An image with a level of detail. */
const detailed = (detail?: string) => ({
  openai: openai({
    messages: asks([text, { type: 'image_url', image_url: { url: dataUrl(PNG, pixel), ...(detail && { detail }) } }]),
  }),
  responses: responses({
    input: asks([inputText, { type: 'input_image', image_url: dataUrl(PNG, pixel), ...(detail && { detail }) }]),
  }),
  anthropic: anthropic({
    messages: asks([text, { type: 'image', source: { type: 'base64', media_type: PNG, data: pixel } }]),
  }),
})
const looked = detailed()

/** A PDF, optionally with a name. */
const document = (name?: string) => ({
  openai: openai({
    messages: asks([text, { type: 'file', file: { filename: name ?? 'document.pdf', file_data: dataUrl(PDF, pdf) } }]),
  }),
  responses: responses({
    input: asks([inputText, { type: 'input_file', filename: name ?? 'document.pdf', file_data: dataUrl(PDF, pdf) }]),
  }),
  anthropic: anthropic({
    messages: asks([
      text,
      {
        type: 'document',
        source: { type: 'base64', media_type: PDF, data: pdf },
        ...(name && { title: name }),
      },
    ]),
  }),
})
const nameless = document()

const ABOUT = 'About Notes: From 1999.'

/** Images, documents, audio and video in requests. */
export const files: readonly RequestGolden[] = [
  {
    feature: 'Image by URL',
    forms: {
      openai: openai({ messages: asks([text, { type: 'image_url', image_url: { url: address } }]) }),
      responses: responses({ input: asks([inputText, { type: 'input_image', image_url: address }]) }),
      anthropic: anthropic({ messages: asks([text, { type: 'image', source: { type: 'url', url: address } }]) }),
      gemini: gemini({
        contents: shows({ text: 'What is it?' }, { fileData: { mimeType: PNG, fileUri: address } }),
      }),
    },
    outcomes: {
      'openai>gemini': { wire: inline },
      'responses>gemini': { wire: inline },
      'anthropic>gemini': { wire: inline },
    },
  },
  { feature: 'Image in base64', forms: { ...looked, gemini: inline } },
  {
    feature: 'Image at low detail',
    forms: {
      ...detailed('low'),
      anthropic: null,
      gemini: { ...inline, generationConfig: { maxOutputTokens: 1024, mediaResolution: 'MEDIA_RESOLUTION_LOW' } },
    },
    outcomes: {
      'openai>anthropic': { wire: looked.anthropic, reported: ['image_url.detail'] },
      'responses>anthropic': { wire: looked.anthropic, reported: ['input_image.detail'] },
      'gemini>anthropic': { wire: looked.anthropic, reported: ['mediaResolution'] },
    },
  },
  {
    feature: 'Image at high detail',
    forms: {
      ...detailed('high'),
      anthropic: null,
      gemini: { ...inline, generationConfig: { maxOutputTokens: 1024, mediaResolution: 'MEDIA_RESOLUTION_HIGH' } },
    },
    outcomes: {
      'openai>anthropic': { wire: looked.anthropic, reported: ['image_url.detail'] },
      'responses>anthropic': { wire: looked.anthropic, reported: ['input_image.detail'] },
      'gemini>anthropic': { wire: looked.anthropic, reported: ['mediaResolution'] },
    },
  },
  {
    feature: 'PDF in base64',
    forms: { ...document('report.pdf'), gemini: inlinePdf },
    outcomes: {
      'openai>gemini': { wire: namedPdf, isNearest: true },
      'responses>gemini': { wire: namedPdf, isNearest: true },
      'anthropic>gemini': { wire: namedPdf, isNearest: true },
      'gemini>openai': { wire: nameless.openai },
      'gemini>responses': { wire: nameless.responses },
      'gemini>anthropic': { wire: nameless.anthropic },
    },
  },
  {
    feature: 'PDF by URL',
    forms: {
      openai: null,
      responses: responses({ input: asks([inputText, { type: 'input_file', file_url: paper }]) }),
      anthropic: anthropic({ messages: asks([text, { type: 'document', source: { type: 'url', url: paper } }]) }),
      gemini: gemini({
        contents: shows({ text: 'What is it?' }, { fileData: { mimeType: PDF, fileUri: paper } }),
      }),
    },
    outcomes: {
      'responses>openai': { wire: nameless.openai },
      'responses>gemini': { wire: inlinePdf },
      'anthropic>openai': { wire: nameless.openai },
      'anthropic>gemini': { wire: inlinePdf },
      'gemini>openai': { wire: nameless.openai },
    },
  },
  {
    feature: 'Plain-text document',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({
        messages: asks([
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'All is well.' },
            title: 'Report',
          },
          text,
        ]),
      }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({ messages: asks([{ type: 'text', text: 'Report\n\nAll is well.' }, text]) }),
      },
      'anthropic>responses': {
        wire: responses({ input: asks([{ type: 'input_text', text: 'Report\n\nAll is well.' }, inputText]) }),
      },
      'anthropic>gemini': {
        wire: gemini({
          contents: shows(
            { text: 'File: Report' },
            { inlineData: { mimeType: 'text/plain', data: Buffer.from('All is well.').toString('base64') } },
            { text: 'What is it?' },
          ),
        }),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Document with context',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({
        messages: asks([
          {
            type: 'document',
            title: 'Notes',
            context: 'From 1999.',
            source: { type: 'text', media_type: 'text/plain', data: 'It rained.' },
          },
          text,
        ]),
      }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({
          messages: asks([{ type: 'text', text: ABOUT }, { type: 'text', text: 'Notes\n\nIt rained.' }, text]),
        }),
        isNearest: true,
      },
      'anthropic>responses': {
        wire: responses({
          input: asks([
            { type: 'input_text', text: ABOUT },
            { type: 'input_text', text: 'Notes\n\nIt rained.' },
            inputText,
          ]),
        }),
        isNearest: true,
      },
      'anthropic>gemini': {
        wire: gemini({
          contents: shows(
            { text: ABOUT },
            { text: 'File: Notes' },
            { inlineData: { mimeType: 'text/plain', data: Buffer.from('It rained.').toString('base64') } },
            { text: 'What is it?' },
          ),
        }),
        isNearest: true,
      },
    },
  },
  {
    feature: 'Document with citations enabled',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({
        messages: asks([
          {
            type: 'document',
            source: { type: 'base64', media_type: PDF, data: pdf },
            citations: { enabled: true },
          },
          text,
        ]),
      }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({
          messages: asks([{ type: 'file', file: { filename: 'document.pdf', file_data: dataUrl(PDF, pdf) } }, text]),
        }),
        reported: ['content.citations'],
      },
      'anthropic>responses': {
        wire: responses({
          input: asks([{ type: 'input_file', filename: 'document.pdf', file_data: dataUrl(PDF, pdf) }, inputText]),
        }),
        reported: ['content.citations'],
      },
      'anthropic>gemini': {
        wire: gemini({ contents: shows({ inlineData: { mimeType: PDF, data: pdf } }, { text: 'What is it?' }) }),
        reported: ['content.citations'],
      },
    },
  },
  {
    feature: 'File stored at the vendor',
    forms: {
      openai: openai({ messages: asks([text, { type: 'file', file: { file_id: 'file-1' } }]) }),
      responses: responses({ input: asks([inputText, { type: 'input_file', file_id: 'file-1' }]) }),
      anthropic: anthropic({
        messages: asks([text, { type: 'document', source: { type: 'file', file_id: 'file_1' } }]),
      }),
      gemini: gemini({
        contents: shows(
          { text: 'What is it?' },
          { fileData: { mimeType: PDF, fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/f1' } },
        ),
      }),
    },
    outcomes: {
      'openai>anthropic': { refused: 'file', impossible: ELSEWHERE },
      'openai>gemini': { refused: 'file', impossible: ELSEWHERE },
      'responses>anthropic': { refused: 'file', impossible: ELSEWHERE },
      'responses>gemini': { refused: 'file', impossible: ELSEWHERE },
      'anthropic>openai': { refused: 'file', impossible: ELSEWHERE },
      'anthropic>responses': { refused: 'file', impossible: ELSEWHERE },
      'anthropic>gemini': { refused: 'file', impossible: ELSEWHERE },
      'gemini>openai': { refused: 'file', impossible: ELSEWHERE },
      'gemini>responses': { refused: 'file', impossible: ELSEWHERE },
      'gemini>anthropic': { refused: 'file', impossible: ELSEWHERE },
    },
  },
  {
    feature: 'Audio',
    forms: {
      openai: openai({ messages: asks([text, { type: 'input_audio', input_audio: { data: wav, format: 'wav' } }]) }),
      responses: responses({
        input: asks([inputText, { type: 'input_audio', input_audio: { data: wav, format: 'wav' } }]),
      }),
      anthropic: null,
      gemini: gemini({
        contents: shows({ text: 'What is it?' }, { inlineData: { mimeType: 'audio/wav', data: wav } }),
      }),
    },
    outcomes: {
      'openai>anthropic': { refused: 'audio' },
      'responses>anthropic': { refused: 'audio' },
      'gemini>anthropic': { refused: 'audio' },
    },
  },
  {
    feature: 'Video (OpenAI-compatible vendor)',
    openai: 'vendor',
    forms: {
      openai: vendor({
        messages: asks([text, { type: 'video_url', video_url: { url: dataUrl('video/mp4', pdf) } }]),
      }),
      responses: null,
      anthropic: null,
      gemini: gemini({
        contents: shows({ text: 'What is it?' }, { inlineData: { mimeType: 'video/mp4', data: pdf } }),
      }),
    },
    outcomes: {
      'openai>responses': { refused: 'video' },
      'openai>anthropic': { refused: 'video' },
      'gemini>responses': { refused: 'video' },
      'gemini>anthropic': { refused: 'video' },
    },
  },
  {
    feature: 'Video (OpenAI itself)',
    forms: {
      openai: null,
      responses: null,
      anthropic: null,
      gemini: gemini({ contents: shows({ inlineData: { mimeType: 'video/mp4', data: pdf } }) }),
    },
    outcomes: {
      'gemini>openai': { refused: 'video' },
      'gemini>responses': { refused: 'video' },
      'gemini>anthropic': { refused: 'video' },
    },
  },
]
