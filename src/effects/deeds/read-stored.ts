/** Reads the code in files that other code wrote. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { readSigns } from '../code/code-signs.ts';
import { commandsConfigured } from '../configured-commands.ts';
import type { Effect, EffectKind } from '../effects.ts';
import { commandsEmbedded, isScriptInDocument } from '../embedded-commands.ts';
import { pipelineCommands } from '../parameters/handed-files.ts';
import { commandsInSettings, installHooks } from '../settings.ts';
import { commandsOf, imageCommands, languageOfPath, notebookCode, startsNothing, storedCode } from '../stored-code.ts';
import { type Language, MAX_NAMES, type World } from '../world.ts';
import { emptyPath } from './delete-file.ts';

const PIPELINE = /(?:^|\/)Jenkinsfile[\w.-]{0,40}$|\.(?:groovy|jenkinsfile)$/i;

/** Effects with which no honest setting comes. */
export const dishonest = perOntology((ontology) => setOf(ontology, 'dishonest_effects'));

/**
 * Reads the code that was written to files; call after all other code. The effects of code that runs by itself count like
 * all others; those of other code are kept apart as dormant.
 */
export function readStored(w: World): void {
  for (const [path, { excerpt, isSeveral }] of w.opened) {
    w.files.delete(w.describe(path).path);
    emptyPath(w, path, excerpt, isSeveral);
  }
  w.opened.clear();
  for (const t of w.stored.values()) {
    const stored = w.files.get(t.path)?.text ?? '';
    const text = t.path.endsWith('.ipynb') ? notebookCode(stored) : stored;
    const recipe = storedCode(w.ontology).image.test(t.path) ? imageCommands(text, w.ontology) : null;
    const settings = recipe === null ? commandsInSettings(t.path, text, w.ontology) : '';
    const language = recipe === null ? languageOfPath(t.path, text, w.ontology) : 'shell';
    const pipeline = PIPELINE.test(t.path) ? pipelineCommands(text, w.ontology) : '';
    if (pipeline !== '') readDormant(w, t.path, 'shell', pipeline);
    const configured = commandsConfigured(t.path, text, w.ontology);
    if (configured.commands !== '') {
      const kinds = readDormant(w, t.path, 'shell', configured.commands);
      if (configured.runsByItself && kinds.some((kind) => dishonest(w.ontology).has(kind)))
        w.run('shell', configured.commands);
    }
    for (const hook of installHooks(t.path, text, w.ontology)) {
      w.add('persists', 'one', t.path, hook);
      w.run('shell', hook);
    }
    if (startsNothing(t.path, { text, taint: 0 }, w.ontology)) continue;
    if (t.is_start && !storedCode(w.ontology).noCode.test(t.path))
      w.run(language ?? 'shell', commandsOf(t.path, text, w.ontology));
    else if (language !== null || settings !== '') {
      readDormant(w, t.path, language ?? 'shell', recipe ?? (language === null ? settings : text));
    }
    if (!t.is_start && (language === null || language === 'script')) readEmbedded(w, t.path, text);
    if (isScriptInDocument(t.path, text, w.ontology)) rememberScript(w, t.path, text);
  }
}

/** Whether no honest setting does it: one of such effects, or the loss of all there is in a place. */
const isDishonest = ({ kind, scope }: Effect, ontology: Ontology): boolean =>
  dishonest(ontology).has(kind) || (scope === 'everything' && (kind === 'destroys_data' || kind === 'deletes'));

/** Reads the command lines in a file of another form, as far as they do what no honest setting does. */
function readEmbedded(w: World, path: string, text: string): void {
  for (const command of commandsEmbedded(path, text, w.ontology)) {
    const probe = w.apart();
    probe.run('shell', command);
    if (probe.effects.items.some((effect) => isDishonest(effect, w.ontology))) readDormant(w, path, 'shell', command);
  }
}

/** A document is nothing to hold; what it would do is kept for the command that runs it. */
function rememberScript(w: World, path: string, text: string): void {
  const probe = w.apart();
  probe.run('shell', text);
  const kinds = probe.effects.items.filter((effect) => isDishonest(effect, w.ontology)).map(({ kind }) => kind);
  if (kinds.length > 0 && w.stored_effects.size < MAX_NAMES) w.stored_effects.set(path, kinds);
}

/** Reads code that is only stored, and keeps which kinds of effects the file would have. */
function readDormant(w: World, path: string, language: Language, code: string): readonly EffectKind[] {
  const before = w.dormant.items.length;
  w.runDormant(language, code, readSigns);
  const kinds = new Set([
    ...(w.stored_effects.get(path) ?? []),
    ...w.dormant.items.slice(before).map(({ kind }) => kind),
  ]);
  if (kinds.size > 0 && w.stored_effects.size < MAX_NAMES) w.stored_effects.set(path, [...kinds]);
  return [...kinds];
}
