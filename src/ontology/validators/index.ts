/**
 * Checks that a value must pass after its pattern matched, by the name in `ontology/data/detectors.yaml`. To add one, write
 * it in `validators/`, list it here, and give its detector one example that passes and one that fails.
 */
import { base58CheckOrBech32 } from './coins.ts';
import {
  abaChecksum,
  brCpf,
  deSteuerId,
  digits8To15,
  esDniLetter,
  frNirMod97,
  luhn,
  nhsMod11,
  verhoeff,
} from './digits.ts';
import { ibanMod97 } from './iban.ts';
import { entropyAtLeast4, entropyOfValueAtLeast2And5Tenths, jwtHeaderJson, mnemonicWords } from './secrets.ts';

export const VALIDATORS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['luhn', luhn],
  ['iban_mod97', ibanMod97],
  ['aba_checksum', abaChecksum],
  ['nhs_mod11', nhsMod11],
  ['de_steuerid', deSteuerId],
  ['es_dni_letter', esDniLetter],
  ['fr_nir_mod97', frNirMod97],
  ['verhoeff', verhoeff],
  ['br_cpf', brCpf],
  ['digits_8_15', digits8To15],
  ['entropy_ge_4', entropyAtLeast4],
  ['entropy_ge_2_5', entropyOfValueAtLeast2And5Tenths],
  ['jwt_header_json', jwtHeaderJson],
  ['mnemonic_words', mnemonicWords],
  ['base58check_or_bech32', base58CheckOrBech32],
]);
