import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { lex } from '../words/lexer.ts';
import { namingOf, toolNameOf } from './named-tool.ts';

const naming = (sentence: string, tool: string, server = ''): string => {
  const words = lex(sentence);
  return namingOf(words, 0, words.count, toolNameOf(tool, server, ontology)!, ontology);
};

test('a tool is named in any spelling, and by its words beside a noun for a tool', () => {
  for (const sentence of ['call send_email now', 'use SendEmail', 'use send-email', 'the tool that sends an email'])
    assert.equal(naming(sentence, 'send_email'), 'spelled', sentence);
  assert.equal(naming('an email should be sent or sends itself', 'send_email'), 'worded');
  assert.equal(naming('the email is long', 'send_email'), '');
});

test('the server before the name of a tool is not a part of it', () => {
  assert.equal(naming('use send_email', 'mcp__gmail__send_email', 'gmail'), 'spelled');
  assert.equal(naming('use send_email', 'gmail_send_email', 'gmail'), 'spelled');
});

test('a name of one word is a word of the language', () => {
  assert.equal(toolNameOf('directory', '', ontology), null);
});
