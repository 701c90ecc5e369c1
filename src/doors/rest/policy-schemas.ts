/**
 * The policy of specification 2.7 and Weir's further fields, for the OpenAPI document; `scoring/policy/policy.ts`
 * checks a policy.
 */
import { Type } from 'typebox';

/** As of lists and texts in `scoring/policy/`. */
const MOST_ENTRIES = 1_000;
const LONGEST_ENTRY = 256;
const LONGEST_TEXT = 2_000;
const SEGMENT = '[A-Za-z0-9_.\\-]{1,64}';
const ACTION = `^${SEGMENT}(:${SEGMENT}){2}$`;
const ACTION_PATTERN = `^(\\*|${SEGMENT}:\\*|\\*:\\*|(${SEGMENT}|\\*)(:(${SEGMENT}|\\*)){2})$`;

const REGION = '^(?![Uu][Kk]$)[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$';
/** ASCII, two to ten labels, the last of them no number; registries and free mail are refused by name. */
const DOMAIN =
  '^([A-Za-z0-9]([A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?\\.){1,9}[A-Za-z]([A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?\\.?$';

/** `examples`: where a pattern cannot say which texts there are. */
const texts = (description: string, pattern = '\\S', maxItems = MOST_ENTRIES, examples: readonly string[] = []) =>
  Type.Optional(
    Type.Array(
      Type.String({ maxLength: LONGEST_ENTRY, pattern, ...(examples.length > 0 && { examples: [...examples] }) }),
      {
        maxItems,
        description,
      },
    ),
  );
const points = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description }));

const customRules = Type.Record(
  Type.String(),
  Type.Object({
    condition: Type.String({ examples: ['batch_size > 100 AND target.sensitivity_level >= 3'] }),
    score_impact: Type.Integer({ minimum: -100, maximum: 100 }),
    description: Type.Optional(Type.String({ maxLength: LONGEST_TEXT })),
    when_mistyped: Type.Optional(
      Type.Enum(['count', 'ignore'], {
        type: 'string',
        description:
          'whether the rule counts for an event whose value is there and of another type than the condition needs; absent: `ignore`, with the flag `rule_unevaluable:<rule>` either way',
      }),
    ),
  }),
  {
    description:
      'conditions are CEL, with AND, OR and NOT accepted. A rule that lowers the score may read nothing that the judged agent can bring about, and takes no `when_mistyped: count`',
    examples: [
      {
        large_batch: {
          condition: 'batch_size > 100 AND verb == "export"',
          score_impact: 20,
          description: 'exports in bulk',
        },
      },
      { scratch: { condition: 'scope == "scratch"', score_impact: -10 } },
    ],
  },
);

const ruleOverrides = Type.Record(
  Type.String(),
  Type.Object(
    {
      enabled: Type.Optional(
        Type.Boolean({
          description: 'false: the rule no longer counts; other rules still use the facts that it asserts',
        }),
      ),
      contribution: points('instead of the rule’s own contribution to the policy layer, aggravated or not'),
      floor: points('instead of the rule’s own floor; absent: it stays'),
      exceptions: Type.Optional(
        Type.Array(Type.String({ examples: ['domain == "scratch" AND batch_size < 100'] }), {
          maxItems: 20,
          description:
            'conditions as in custom rules; where one holds, the rule does not count. They may not read anything that depends on free text',
        }),
      ),
      reason: Type.Optional(
        Type.String({ maxLength: LONGEST_TEXT, description: 'the reason, for later readers of the policy' }),
      ),
    },
    { additionalProperties: false },
  ),
  {
    description:
      'changes to a built-in rule, by its id. Rules that report violations of this policy (blocked actions, allow-lists) cannot be overridden. An answer that an override changed has the flag `rule_overridden:<rule>`',
    examples: [{ code_fetches_a_file: { exceptions: ['scope == "build"'], reason: 'build agents download' } }],
  },
);

const profile = Type.Object(
  {
    frameworks: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), {
        description: 'whether a framework binds you; takes precedence over regions and sectors',
        examples: [{ DORA: true, CCPA: false }],
      }),
    ),
    regions: texts('where you work: `EU`, countries such as `DE` (`GB`, not `UK`), parts such as `US-CA`', REGION, 100),
    sectors: texts('what you do, such as `finance` or `health`; an unknown one is refused with the list', '\\S', 100, [
      'finance',
      'health',
    ]),
  },
  {
    additionalProperties: false,
    description:
      'your organisation, so that only frameworks that bind you are cited; absent: those that bind everybody. It never changes a score',
  },
);

const group = (description: string) =>
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 100,
    description: `roles (approver, admin) and emails: ${description}`,
  });

const approvals = Type.Array(
  Type.Object(
    {
      levels: Type.Array(Type.Enum(['low', 'medium', 'high', 'critical'], { type: 'string' }), {
        minItems: 1,
        maxItems: 4,
        description: 'risk levels that the rule is for',
      }),
      by: Type.Optional(group('who may decide; absent: every person who may decide at all')),
      people: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 5,
          description: 'approvals that it takes, each of another person; absent: 1',
        }),
      ),
      not_own: Type.Optional(Type.Boolean({ description: 'the user of the event’s session does not approve it' })),
      needs_reason: Type.Optional(Type.Boolean({ description: 'a decision without a reason is refused' })),
      escalate: Type.Optional(
        Type.Object(
          {
            after_minutes: Type.Integer({ minimum: 1, maximum: 525_600 }),
            by: group('who may decide as well, once an event has waited that long'),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 20,
    description:
      'who decides about held events. The first rule that has the level of an event applies; only named people decide then, no key does. The policy in force at the decision counts',
    examples: [[{ levels: ['critical'], by: ['admin'], people: 2, not_own: true, needs_reason: true }]],
  },
);

export const policySchema = Type.Object(
  {
    sensitive_fields: texts('field names treated as sensitive, also as the last part of a dotted path'),
    allowed_tools: texts('when not empty, the only tools that may be used'),
    blocked_actions: texts('`domain:scope:verb` that are prohibited', ACTION),
    custom_rules: Type.Optional(customRules),
    allowed_action_patterns: texts('when not empty, the only actions allowed; `*` is one segment', ACTION_PATTERN),
    blocked_action_patterns: texts('actions that are prohibited; `*` is one segment', ACTION_PATTERN),
    sensitive_classifications: texts('classification labels treated as sensitive'),
    rule_overrides: Type.Optional(ruleOverrides),
    profile: Type.Optional(profile),
    internal_domains: texts(
      'domains of your organisation, each with its subdomains; all others are then external. Absent: the domain of `session.user_id`, where it is an address',
      DOMAIN,
      200,
      ['north.example'],
    ),
    approvals: Type.Optional(approvals),
    hold_threshold: Type.Optional(
      Type.Enum(['none', 'low', 'medium', 'high', 'critical'], {
        type: 'string',
        description:
          'lowest risk level that is held for a person’s decision; `none` holds nothing. Absent: the setting of this service, usually high',
      }),
    ),
    llm_relief: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description:
          'points by which a language model may lower the score of an action: never across the border of a level, and only without findings and below sensitivity 3. Absent or 0: it may only raise scores',
      }),
    ),
    mode: Type.Optional(
      Type.Enum(['enforce', 'observe'], {
        type: 'string',
        description:
          '`observe`: events are scored and counted, and none is held; `would_have_held` says which would have been',
      }),
    ),
    observed_agents: texts('agent_ids that are only observed, whatever `mode` says'),
    observed_api_keys: texts('key_ids of API keys whose events are only observed'),
  },
  {
    additionalProperties: false,
    examples: [
      {
        blocked_actions: ['db:table:drop'],
        sensitive_fields: ['iban'],
        custom_rules: { large_batch: { condition: 'batch_size > 100 AND verb == "export"', score_impact: 20 } },
        hold_threshold: 'high',
      },
    ],
  },
);

export const policyEnvelopeSchema = Type.Object(
  {
    customer_id: Type.String({ format: 'uuid' }),
    policies: policySchema,
    updated_at: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
);
