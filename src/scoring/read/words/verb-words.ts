/**
 * Everyday words for the ontology's verbs: what a tool's name means when the ontology does not list the tool. Each row
 * names an ontology verb, so that numbers stay in one place; a row whose verb the ontology lacks is passed over.
 */

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that are verbs in names, but not the ontology's word for it. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // looking and computing
    see: 'view',
    display: 'show',
    locate: 'find',
    obtain: 'get',
    load: 'read',
    parse: 'read',
    validate: 'check',
    peek: 'view',
    is: 'check',
    has: 'check',
    exists: 'check',
    collect: 'list',
    gather: 'list',
    discover: 'enumerate',
    track: 'watch',
    calculate: 'analyze',
    compute: 'analyze',
    estimate: 'analyze',
    convert: 'analyze',
    measure: 'analyze',
    predict: 'analyze',
    analyse: 'analyze',
    summarise: 'summarize',
    sort: 'analyze',
    diff: 'compare',
    round: 'analyze',
    multiply: 'analyze',
    divide: 'analyze',
    subtract: 'analyze',
    logarithm: 'analyze',
    mean: 'analyze',
    decode: 'analyze',
    encode: 'analyze',
    translate: 'analyze',
    cd: 'status',
    wait: 'status',
    sleep: 'status',
    think: 'status',
    ask: 'ping',
    play: 'open',
    // making and changing
    make: 'create',
    new: 'create',
    init: 'create',
    mkdir: 'create',
    touch: 'create',
    save: 'write',
    store: 'write',
    echo: 'write',
    put: 'replace',
    note: 'append',
    compose: 'draft',
    prepare: 'draft',
    ingest: 'import',
    attach: 'add',
    zip: 'archive',
    change: 'update',
    adjust: 'modify',
    alter: 'modify',
    manage: 'update',
    swap: 'replace',
    exchange: 'replace',
    return: 'update',
    toggle: 'set',
    switch: 'set',
    turn: 'set',
    encrypt: 'update',
    resolve: 'close',
    finish: 'close',
    complete: 'transition',
    confirm: 'transition',
    accept: 'transition',
    leave: 'transition',
    rent: 'reserve',
    rate: 'review_post',
    review: 'review_post',
    // destroying
    kill: 'terminate',
    halt: 'stop',
    eliminate: 'delete',
    unlink: 'delete',
    rm: 'delete',
    del: 'delete',
    dispose: 'delete',
    // value
    checkout: 'purchase',
    fund: 'top_up',
    deposit: 'top_up',
    remit: 'transfer',
    spend: 'pay',
    reimburse: 'refund',
    // sending and showing to others
    mail: 'email',
    text: 'sms',
    dial: 'call',
    contact: 'message',
    answer: 'respond',
    input: 'submit',
    request: 'submit',
    retweet: 'tweet',
    mention: 'post',
    announce: 'publish',
    like: 'react',
    follow: 'react',
    unfollow: 'react',
    leak: 'exfiltrate',
    steal: 'exfiltrate',
    harvest: 'scrape',
    // machines, rights, settings
    activate: 'enable',
    deactivate: 'disable',
    join: 'connect',
    setup: 'configure',
    boot: 'start',
    perform: 'execute',
    give: 'grant',
    kick: 'remove_member',
    block: 'deny',
    sudo: 'sudo',
    hijack: 'impersonate',
    hack: 'bypass',
    exploit: 'bypass',
    crack: 'bypass',
    sabotage: 'tamper',
    poison: 'tamper',
    deliver: 'ship',
    process: 'execute',
    handle: 'update',
  }),
);

/** Verbs that say little by themselves: in `make_payment` and `process_refund` the noun is what happens. */
export const LIGHT_VERBS: ReadonlySet<string> = wordSet(
  'make do perform process place handle manage request initiate complete confirm accept submit create ' +
    'add new set update start take use call schedule issue change configure',
);

/** Nouns of an act → the act. Counted at the end after a light verb, or in a name without any verb. */
export const NOUNS_OF_ACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    payment: 'pay',
    payout: 'payout',
    refund: 'refund',
    transfer: 'transfer',
    withdrawal: 'withdraw',
    deposit: 'top_up',
    purchase: 'purchase',
    order: 'order',
    checkout: 'purchase',
    donation: 'donate',
    trade: 'trade',
    deletion: 'delete',
    removal: 'remove',
    cancellation: 'cancel',
    deployment: 'deploy',
    execution: 'execute',
    publication: 'publish',
    sharing: 'share',
    invitation: 'invite',
    approval: 'approve',
    installation: 'install',
    export: 'export',
    impersonation: 'impersonate',
    exfiltration: 'exfiltrate',
    booking: 'book',
    reservation: 'reserve',
    registration: 'register',
    subscription: 'subscribe',
    escalation: 'escalate',
    dispatch: 'dispatch',
    deepfake: 'deepfake',
    post: 'post',
    tweet: 'tweet',
  }),
);

/** A name that ends like this and holds no clear verb reads a property: `cart_total`, `order_history`. */
export const ATTRIBUTES: ReadonlySet<string> = wordSet(
  'total count info information detail status price cost fee balance history summary rate average sum ' +
    'size length version state statistic stat metric overview forecast weather availability distance date ' +
    'day time result',
);

/** Verbs that are nouns just as often. They count as verbs at the beginning or the end of a name only. */
export const NOUN_LIKE_VERBS: ReadonlySet<string> = wordSet(
  'order call post book file email message schedule label tag record log profile filter index head ' +
    'status count review trade invoice backup price score rank type load plan test tail tip bid stake ' +
    'mint press comment release quote query snapshot lock arm fork dm sms fax webhook proxy charge draft ' +
    'heat drive ship sign build debug train screenshot feedback mail text note rate contact return ' +
    'request play like mean exchange new round token settle time is has watch see',
);

/** What is switched off: with `disable` and its like these make a guard fall. Word → ontology verb. */
export const GUARDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mfa: 'disable_mfa',
    '2fa': 'disable_mfa',
    totp: 'disable_mfa',
    factor: 'disable_mfa',
    multifactor: 'disable_mfa',
    log: 'disable_logging',
    logging: 'disable_logging',
    audit: 'disable_logging',
    auditing: 'disable_logging',
    trail: 'disable_logging',
    firewall: 'disable_firewall',
    waf: 'disable_firewall',
    antivirus: 'disable_antivirus',
    edr: 'disable_antivirus',
    defender: 'disable_antivirus',
    encryption: 'disable_encryption',
    monitoring: 'disable_monitoring',
    monitor: 'disable_monitoring',
    siem: 'disable_monitoring',
    alerting: 'disable_monitoring',
    alarm: 'disable_monitoring',
    alert: 'disable_monitoring',
    guardrail: 'disable_guardrail',
    moderation: 'disable_guardrail',
  }),
);
export const SWITCHING_OFF: ReadonlySet<string> = wordSet('disable stop turn_off pause suppress mute shutdown');

/** Who may do what is a matter of rights, whatever the verb that changes it. */
const ACCESS_LISTS: readonly (readonly [string, string])[] = [
  ['iam', 'bind_role'],
  ['binding', 'bind_role'],
  ['acl', 'set_permission'],
];

/** An object that gives a verb another sense: `transfer_to_human`, `update_password`. Word → ontology verb, by verb. */
export const SENSES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({
    transfer: new Map(
      ['human', 'agent', 'operator', 'representative', 'chat', 'conversation', 'call', 'department'].map((word) => [
        word,
        'handoff',
      ]),
    ),
    update: new Map([['password', 'change_password'], ...ACCESS_LISTS]),
    modify: new Map([['password', 'change_password'], ...ACCESS_LISTS]),
    set: new Map([['password', 'change_password'], ...ACCESS_LISTS]),
    put: new Map([...ACCESS_LISTS, ['policy', 'attach_policy']]),
    add: new Map([...ACCESS_LISTS, ['role', 'bind_role'], ['policy', 'attach_policy']]),
    create: new Map([
      ['binding', 'bind_role'],
      ['rolebinding', 'bind_role'],
    ]),
    schedule: new Map([['deletion', 'delete']]),
    manage: new Map([['sharing', 'share']]),
    order: new Map(['status', 'history', 'tracking'].map((word) => [word, 'get'])),
    remove: new Map([
      ['member', 'remove_member'],
      ['collaborator', 'remove_member'],
    ]),
  }),
);
/** GUARDS that a setting names by themselves; `log: false` or `monitor: off` may be anything. */
export const GUARD_SETTINGS: ReadonlySet<string> = wordSet(
  'mfa 2fa totp multifactor audit auditing firewall waf antivirus edr defender encryption siem guardrail',
);

/** Those that a setting names only together with a word that says it is a switch: `flow_logs`, `is_logging`. */
export const WATCHERS: ReadonlySet<string> = wordSet('log logging trail monitoring monitor alerting alarm alert');
export const SWITCH_WORDS: ReadonlySet<string> = wordSet('enable enabled is flow access collect collection active');

/** Where money is moved, an agent is a payee and not a colleague. */
export const MONEY_WORDS: ReadonlySet<string> = wordSet('bank payment money fund wallet crypto account payments');

/** Removing these hides what happened: with a deleting verb they make `delete_logs`. */
export const TRACES: ReadonlySet<string> = wordSet('log audit trail auditlog');

/** The same and others, as requests have them. */
export const LIGHT_IN_REQUESTS: readonly string[] = [...LIGHT_VERBS, 'arrange', 'initiate', 'establish'];
