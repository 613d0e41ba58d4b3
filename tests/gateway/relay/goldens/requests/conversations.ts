import type { RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, plain, responses } from '../requests.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const texts = (...said: readonly string[]) => said.map((text) => ({ type: 'text', text }))
const spoken = (role: string, ...texts: readonly string[]) => ({ role, parts: texts.map((text) => ({ text })) })

/** Instructions between messages, converted to user messages. */
const byUser = {
  anthropic: () =>
    anthropic({
      system: 'Be brief.',
      messages: [user('Hello'), assistant('Hi.'), user(texts('Speak French.', 'Again'))],
    }),
  gemini: () =>
    gemini({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        spoken('user', 'Hello'),
        spoken('model', 'Hi.'),
        { role: 'user', parts: [{ text: 'Speak French.' }, { text: 'Again' }] },
      ],
    }),
}

/** Roles and their order. */
export const conversations: readonly RequestGolden[] = [
  { feature: 'Single user message', forms: plain },
  { feature: 'Streaming', stream: true, forms: plain },
  {
    feature: 'System instructions',
    forms: {
      openai: openai({ messages: [{ role: 'system', content: 'Be brief.' }, user('Hello')] }),
      responses: responses({ instructions: 'Be brief.', input: [user('Hello')] }),
      anthropic: anthropic({ system: 'Be brief.' }),
      gemini: gemini({ systemInstruction: { parts: [{ text: 'Be brief.' }] } }),
    },
    outcomes: {
      'openai>responses': { wire: responses({ instructions: 'Be brief.' }) },
      'anthropic>responses': { wire: responses({ instructions: 'Be brief.' }) },
      'gemini>responses': { wire: responses({ instructions: 'Be brief.' }) },
    },
  },
  {
    feature: 'Developer instructions',
    forms: {
      openai: openai({ messages: [{ role: 'developer', content: 'Be brief.' }, user('Hello')] }),
      responses: responses({ input: [{ role: 'developer', content: 'Be brief.' }, user('Hello')] }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ system: 'Be brief.' }) },
      'openai>gemini': { wire: gemini({ systemInstruction: { parts: [{ text: 'Be brief.' }] } }) },
      'responses>anthropic': { wire: anthropic({ system: 'Be brief.' }) },
      'responses>gemini': { wire: gemini({ systemInstruction: { parts: [{ text: 'Be brief.' }] } }) },
    },
  },
  {
    feature: 'Instructions between messages',
    forms: {
      openai: openai({
        messages: [
          { role: 'system', content: 'Be brief.' },
          ...[user('Hello'), assistant('Hi.'), { role: 'system', content: 'Speak French.' }, user('Again')],
        ],
      }),
      responses: responses({
        instructions: 'Be brief.',
        input: [user('Hello'), assistant('Hi.'), { role: 'system', content: 'Speak French.' }, user('Again')],
      }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: byUser.anthropic(), isNearest: true },
      'openai>gemini': { wire: byUser.gemini(), isNearest: true },
      'responses>anthropic': { wire: byUser.anthropic(), isNearest: true },
      'responses>gemini': { wire: byUser.gemini(), isNearest: true },
    },
  },
  {
    feature: 'Multi-turn conversation',
    forms: {
      openai: openai({ messages: [user('Hello'), assistant('Hi.'), user('Again')] }),
      responses: responses({ input: [user('Hello'), assistant('Hi.'), user('Again')] }),
      anthropic: anthropic({ messages: [user('Hello'), assistant('Hi.'), user('Again')] }),
      gemini: gemini({ contents: [spoken('user', 'Hello'), spoken('model', 'Hi.'), spoken('user', 'Again')] }),
    },
  },
  {
    feature: 'Consecutive user messages',
    forms: {
      openai: openai({ messages: [user('One'), user('Two')] }),
      responses: responses({ input: [user('One'), user('Two')] }),
      anthropic: anthropic({ messages: [user('One'), user('Two')] }),
      gemini: gemini({ contents: [spoken('user', 'One'), spoken('user', 'Two')] }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ messages: [user(texts('One', 'Two'))] }) },
      'responses>anthropic': { wire: anthropic({ messages: [user(texts('One', 'Two'))] }) },
      'gemini>anthropic': { wire: anthropic({ messages: [user(texts('One', 'Two'))] }) },
      'openai>gemini': { wire: gemini({ contents: [spoken('user', 'One', 'Two')] }) },
      'responses>gemini': { wire: gemini({ contents: [spoken('user', 'One', 'Two')] }) },
      'anthropic>gemini': { wire: gemini({ contents: [spoken('user', 'One', 'Two')] }) },
    },
  },
  {
    feature: 'Conversation starting with an assistant message',
    forms: {
      openai: openai({ messages: [assistant('Hi.'), user('Again')] }),
      responses: responses({ input: [assistant('Hi.'), user('Again')] }),
      anthropic: null,
      gemini: gemini({ contents: [spoken('model', 'Hi.'), spoken('user', 'Again')] }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ messages: [user('...'), assistant('Hi.'), user('Again')] }) },
      'responses>anthropic': { wire: anthropic({ messages: [user('...'), assistant('Hi.'), user('Again')] }) },
      'gemini>anthropic': { wire: anthropic({ messages: [user('...'), assistant('Hi.'), user('Again')] }) },
    },
  },
  {
    feature: 'Multi-part text',
    forms: {
      openai: openai({ messages: [user(['One', 'Two'].map((text) => ({ type: 'text', text })))] }),
      responses: responses({ input: [user(['One', 'Two'].map((text) => ({ type: 'input_text', text })))] }),
      anthropic: anthropic({ messages: [user(['One', 'Two'].map((text) => ({ type: 'text', text })))] }),
      gemini: gemini({ contents: [spoken('user', 'One', 'Two')] }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ messages: [user(texts('One', 'Two'))] }) },
      'responses>anthropic': { wire: anthropic({ messages: [user(texts('One', 'Two'))] }) },
      'gemini>anthropic': { wire: anthropic({ messages: [user(texts('One', 'Two'))] }) },
    },
  },
  {
    feature: 'Participant names',
    forms: {
      openai: openai({ messages: [{ role: 'user', name: 'ada', content: 'Hello' }] }),
      responses: null,
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>responses': { wire: responses({ input: [user('Hello')] }), reported: ['messages.name'] },
      'openai>anthropic': { reported: ['messages.name'] },
      'openai>gemini': { reported: ['messages.name'] },
    },
  },
  {
    feature: 'Refusal in an earlier turn',
    forms: {
      openai: openai({
        messages: [user('Hello'), { role: 'assistant', content: null, refusal: 'No.' }, user('Again')],
      }),
      responses: responses({
        input: [user('Hello'), assistant([{ type: 'refusal', refusal: 'No.' }]), user('Again')],
      }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': {
        wire: anthropic({ messages: [user('Hello'), assistant('No.'), user('Again')] }),
        isNearest: true,
      },
      'openai>gemini': {
        wire: gemini({ contents: [spoken('user', 'Hello'), spoken('model', 'No.'), spoken('user', 'Again')] }),
        isNearest: true,
      },
      'responses>anthropic': {
        wire: anthropic({ messages: [user('Hello'), assistant('No.'), user('Again')] }),
        isNearest: true,
      },
      'responses>gemini': {
        wire: gemini({ contents: [spoken('user', 'Hello'), spoken('model', 'No.'), spoken('user', 'Again')] }),
        isNearest: true,
      },
    },
  },
]
