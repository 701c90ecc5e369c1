/** The work of `weir graph`, on the data of the settings. */

import { projectPart } from '../engine/activity/project.ts';
import { complianceDocument } from '../engine/compliance/document.ts';
import { loadKnowledge } from '../engine/knowledge/knowledge.ts';
import { counted } from '../lang/english.ts';
import { readSettings } from '../platform/settings.ts';
import { CliError, type Output } from '../platform/terminal/output.ts';
import { textTable } from '../platform/terminal/table.ts';
import type { Graphs } from '../storage/ports/graphs.ts';
import type { Storage } from '../storage/ports/storage.ts';
import { notice, openData } from './open-data.ts';

async function withGraphs<T>(work: (graphs: Graphs, storage: Storage) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  if (!settings.GRAPH_ENABLED) throw new CliError('the graph is switched off; set GRAPH_ENABLED=true');
  const { openGraphs } = await import('../compose.ts');
  const storage = await openData(settings);
  const graphs = await openGraphs(settings, storage, notice);
  try {
    return await work(graphs, storage);
  } finally {
    await graphs.close();
    await storage.close();
  }
}

/** Ends with an error when one of the graphs cannot be written; the others are. */
export async function syncGraphs(output: Output): Promise<void> {
  const document = complianceDocument(await loadKnowledge());
  const size = `${counted(document.nodes.length, 'node')} and ${counted(document.edges.length, 'edge')}`;
  await withGraphs(async (graphs) => {
    const failed: string[] = [];
    for (const { source, compliance } of graphs.all) {
      try {
        const is_written = await compliance.sync(document);
        const done = is_written ? `${size} written` : `${size} were there already`;
        await output.line(`${source}: rule set ${document.rule_set_version}, ${done}`);
      } catch (error) {
        failed.push(`${source}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failed.length > 0) throw new CliError(failed.join('; '));
  });
}

export async function showGraphs(as_json: boolean, output: Output): Promise<void> {
  await withGraphs(async (graphs) => {
    const shown = await Promise.all(
      graphs.all.map(async (graph) => {
        const { status } = await graph.health();
        return { backend: graph.source, status, versions: status === 'ok' ? await graph.compliance.versions() : [] };
      }),
    );
    if (as_json) return output.line(JSON.stringify(shown));
    for (const { backend, status, versions } of shown) {
      await output.line(`${backend}: ${status === 'ok' ? 'answers' : 'does not answer'}`);
      if (versions.length === 0) continue;
      const rows = versions.map((one) => [one.rule_set_version, String(one.nodes), String(one.edges), one.synced_at]);
      await output.line(textTable(['rule set', 'nodes', 'edges', 'synced'], rows));
    }
  });
}

/** Events of each graph, after another one or from the beginning. Goes on where an interrupted one ended only without emptying first. */
export async function rebuildGraphs(output: Output): Promise<void> {
  await withGraphs(async (graphs, storage) => {
    for (const graph of graphs.all) {
      await graph.activity.clear();
      let events = 0;
      for (let is_done = false; !is_done; ) {
        const part = await projectPart(graph, storage.activity);
        is_done = part.is_last;
        events += part.events;
      }
      await output.line(`${graph.source}: rebuilt from ${counted(events, 'event')}`);
    }
  });
}
