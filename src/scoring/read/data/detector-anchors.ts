/**
 * Where it pays to run a value detector. A search for a short literal is a hundred times cheaper than a pattern, and a
 * pattern that sees only a window around the literal stays linear whatever the text. A detector without a row here runs
 * on the whole text.
 */

export interface Anchor {
  /** Lower case. The detector runs on a window around each of these. None: on the whole text. */
  needles?: readonly string[];
  /** Characters of the window before and after the needle's beginning. */
  before?: number;
  after?: number;
  /** Instead of needles: a pattern that is linear by itself, at whose matches the windows begin. */
  beginning?: RegExp;
  /** The text must hold so many digits. */
  digits?: number;
  /** The text must hold a run of so many letters, digits and `+/_-`. */
  run?: number;
  /** The text must hold one of these, lower case. */
  requires?: readonly string[];
  /** The value may only count beside a value of this detector, or of a key that says so. */
  only_with?: string;
}

const near = (needles: readonly string[], after: number, before = 1): Anchor => ({ needles, after, before });

export const ANCHORS: ReadonlyMap<string, Anchor> = new Map(
  Object.entries<Anchor>({
    pan: { digits: 13 },
    cvv_context: { ...near(['cvv', 'cvc', 'card verification', 'card security'], 48), digits: 3 },
    iban: { beginning: /\b[A-Z]{2}\d{2}(?=[A-Z0-9 ]{11})/g, after: 48, digits: 6 },
    bic: { only_with: 'iban' },
    aba_routing: { ...near(['routing', 'aba'], 48), digits: 9 },
    us_ssn: { digits: 9, requires: ['-'] },
    us_ssn_context: { ...near(['ssn', 'social security'], 48), digits: 9 },
    uk_nino: { digits: 6 },
    uk_nhs: { ...near(['nhs'], 48), digits: 10 },
    de_steuer_id: { ...near(['steuer', 'idnr', 'tin'], 48), digits: 11 },
    es_dni: { digits: 7 },
    fr_nir: { digits: 12 },
    // One in ten numbers of twelve digits passes the check digit: without the word it says nothing.
    in_aadhaar: { digits: 12, requires: ['aadhaar', 'aadhar', 'uidai'] },
    br_cpf: { digits: 11, requires: ['-'] },
    passport_context: { ...near(['passport'], 48), digits: 1 },
    mrz: { requires: ['<<'] },
    email: near(['@'], 280, 66),
    phone_e164: { ...near(['+'], 48), digits: 8 },
    us_phone: { digits: 10 },
    ipv4: { digits: 4, requires: ['.'] },
    geo: { digits: 10, requires: ['.'] },
    dob_context: { ...near(['dob', 'date of birth', 'born', 'geburtsdatum'], 48), digits: 4 },
    icd10_context: { ...near(['icd', 'diagnos', 'dx'], 48), digits: 1 },
    mrn_context: { ...near(['mrn', 'medical record'], 48), digits: 5 },
    dose_context: { ...near(['take', 'dose', 'dosage', 'prescribe', 'administer'], 120), digits: 1 },
    // Begins outside a run of its own characters, so that a run is searched once.
    jwt: { beginning: /(?<![\w.-])eyJ[\w-]{8,1024}\.eyJ/g, after: 4096, run: 11 },
    pem_private_key: near(['-----begin'], 80),
    aws_access_key_id: { ...near(['akia', 'asia', 'aroa', 'aida'], 24), run: 20 },
    aws_secret_key_context: { ...near(['secret'], 96, 8), run: 40 },
    github_token: { ...near(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'], 320), run: 36 },
    gitlab_token: { ...near(['glpat-'], 320), run: 20 },
    slack_token: near(['xox', 'hooks.slack.com'], 240, 10),
    stripe_key: { ...near(['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], 320), run: 16 },
    google_api_key: { ...near(['aiza'], 48), run: 35 },
    openai_anthropic_key: { ...near(['sk-'], 320), run: 20 },
    azure_connection: { ...near(['accountkey=', 'sharedaccesskey='], 240), run: 40 },
    npm_pypi_token: { ...near(['npm_', 'pypi-'], 320), run: 36 },
    url_with_password: { ...near(['://'], 640, 24), requires: ['@'] },
    password_assignment: near(
      ['password', 'passwd', 'pwd', 'passphrase', 'passwort', 'secret', 'api_key', 'api-key', 'apikey', 'token'],
      200,
    ),
    bearer_header: { ...near(['authorization'], 640), run: 8 },
    otp_context: {
      ...near(['otp', 'one-time', 'one time', 'verification code', 'security code', '2fa code', 'login code'], 72),
      digits: 4,
    },
    bip39: near(['seed', 'recovery', 'mnemonic'], 320),
    eth_private_key: { ...near(['private key', 'private_key', 'privatekey'], 100), run: 64 },
    eth_address: { ...near(['0x'], 48), run: 42 },
    btc_address: { run: 14, digits: 1 },
    // Hashes and ids look like this too: only beside a key that speaks of a secret.
    high_entropy: { run: 32, only_with: 'secret_key' },
  }),
);
