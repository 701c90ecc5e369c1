/** The words of the model card; `{{NAME}}` is filled with what was measured. */
export const CARD_TEXT = `<!-- Made by \`npm run train\`; do not edit. -->

# Model card: the structural layer

A small relational graph network that reads the typed graph of one event and states a probability of harm. It moves the score of the
rules on either side of high and takes no action across ([decision 31](../../docs/decisions/0031-structural-layer.md)). What it reads is
listed in [docs/structural-layer.md](../../docs/structural-layer.md).

## Model

- Nodes of eleven kinds, edges of twelve kinds, at most 64 nodes. Two rounds of messages, 32 wide, the largest value over the in-edges of
  one kind. All weights but biases are non-negative and every feature is worded so that more means more risk: no feature, node or
  edge lowers the result.
- No words, names, ids, verb groups, domains, lengths or counts of steps.
- An ordered logistic model makes five risk classes of the logit: {{SHIFT}} is subtracted from the logit, because real traffic holds far
  less harm than the labelled actions, and one unit is worth {{POINTS}} points of severity.
- 32-bit WebAssembly SIMD, the same bytes in training and inference, fixed seeds: training twice gives the same file.

## Data

The training sets of two collections of labelled agent actions: agent-actions version 2 (AgentDyn, InjecAgent, ToolEmu, RedCode-Exec,
InterCode, BigCodeBench, SWE-agent, tau-bench, tau2-bench, BFCL) and agent-actions-2 (api_bank, dcg, defog_sql, guarddog, libinjection, minsky_cursor,
openhands, privacylens, ras_eval, safeagentbench, stockpile, tau2_more, tldr). MIT, Apache-2.0, CC BY 4.0 and similar licences; only numbers
of their graphs enter the weights, no text. Each record is used once as it is and once told again in other words or in another host's
shape. Classes, and sources within a class, are drawn alike. Half of the drawn examples lose findings, arguments, messages or history at random,
so that the network does not repeat the rules.

## Comparison

Every row was learned without the source it is measured on. "Composite" is the final score, an integer; the other rows order by
the model's own logit. Intervals are 95 % bootstrap intervals over groups.

### The sources as they are

The rules were written with these sources at hand, so rules alone are near their best here.

{{MEANS_SEEN}}

{{BY_SOURCE_SEEN}}

### The sources as a new one looks

Rules that owe at least half of their catch to a source are hidden on it. This imitates a source for which nobody wrote a rule.

{{MEANS_UNSEEN}}

{{BY_SOURCE_UNSEEN}}

### Honest actions at high

{{BENIGN}}

### Files that no choice has seen

Sources with both classes of the development sets, measured after all choices.

{{CHECKED}}

## Reliability

<!-- begin reliability -->

<!-- end reliability -->

## What it cannot do

- It sees what the readings and rules see. Where they see nothing (a wrong calendar entry, a harmful wish in plain words), it sees nothing.
- It makes no action high by itself and none less than high. It orders the queue of those who look.
- Its probabilities rest on labelled actions, in which harm is frequent.
- Household plans, injected SQL without a finding and sources of one kind of code stay close to chance without the rules written for them.
`;

/** The part on reliability, which `--quick` renews as well. */
export const RELIABILITY_TEXT = `On sources left out. The overall confidence has its table in [decision 23](../../docs/decisions/0023-confidence.md).

The probability of harm before the shift for real traffic; expected calibration error {{HARM_ERROR}}:

{{HARM}}

\`gnn_confidence\`, the largest probability of a level, against how often the network's most likely level lies on the right side of high;
expected calibration error {{GNN_CONFIDENCE_ERROR}}. A level within a side cannot be checked, because labels say harmful or not:

{{GNN_CONFIDENCE}}

The composite as a share of 100. It is a rating of risk and no probability; what counts is that more of it means more harm:

{{COMPOSITE}}`;
