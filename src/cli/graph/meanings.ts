/** What the kinds of the graph's nodes and edges mean, in words: for the drawing and the documentation. The score reads none of it. */
import type { EdgeKind, NodeKind } from '../../scoring/graph/event-graph.ts';

/** What an edge of this kind says, for the drawing and the documentation. */
export const EDGE_MEANINGS: Readonly<Record<EdgeKind, string>> = {
  finds: 'a rule found this about the action',
  orders: 'text from outside orders something of the agent',
  says: 'the message holds the order',
  provides_value: 'the value of the argument stands in the message',
  has_argument: 'the action has the argument',
  names_destination: 'the argument names where data go',
  precedes: 'the session did this before',
  carries: 'the action touches or carries the data',
  sends_to: 'the action reaches the destination',
  targets: 'the action works on the target',
  delegates: 'the agent acts, or hands work on',
  asks: 'the user asked for something',
};

/** What a node of this kind stands for. */
export const NODE_MEANINGS: Readonly<Record<NodeKind, string>> = {
  action: 'the action that is judged, with what the rules found in all',
  finding: 'one finding of a rule',
  order: 'one order to the agent in text from outside',
  message: 'one message that a tool or a document brought',
  argument: 'one argument, by its role and the place where its value comes from',
  earlier_action: 'one kind of action earlier in the session',
  data: 'one class of data that the action touches or carries along',
  destination: 'where data go',
  target: 'what the action works on',
  agent: 'the agent, its delegation and its tool server',
  request: 'what the user asked for',
};
