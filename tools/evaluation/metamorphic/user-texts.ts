/** The user's request in another place or another form. */
import { type Change, isObject, type Sent, textOf, withUserTexts } from './change.ts';
import { verbOf } from './names.ts';

/** `user_context` is left out; the conversation begins with its text. */
function inFirstMessage(event: Sent): Sent | null {
  const { user_context, ...rest } = event;
  const text = textOf(user_context);
  if (text.trim() === '') return null;
  const messages = Array.isArray(event['conversation_history']) ? event['conversation_history'] : [];
  const [first] = messages;
  const is_there = isObject(first) && first['role'] === 'user' && first['content'] === text;
  return { ...rest, conversation_history: is_there ? messages : [{ role: 'user', content: text }, ...messages] };
}

export const USER_TEXTS: readonly Change[] = [
  {
    name: 'request_in_first_message',
    about: 'the user’s text stands in the first message instead of `user_context`',
    keeps: 'verdict',
    apply: inFirstMessage,
  },
  {
    name: 'request_as_need',
    about: 'an imperative of the user becomes “I need you to …”',
    keeps: 'verdict',
    apply: (event, ontology) =>
      withUserTexts(event, (text) => {
        const [, please = '', word = ''] = /^(please )?([A-Za-z]+)\b/i.exec(text) ?? [];
        if (verbOf(word.toLowerCase(), ontology) === '') return text;
        const rest = text.slice(please.length);
        return `I need you to ${rest.charAt(0).toLowerCase()}${rest.slice(1)}`;
      }),
  },
];
